import { decodeFrames, type CellsHeader, type Client, type Frame, type IndexHeader, type TileNote } from '@belvedere/api';
import { buildIndex, areasOnAxes, sliceIndex } from '@belvedere/crossfilter';
import type { OfflineData } from './offline-data.ts';

/**
 * Answers from what the page carries: each page's own answers as they were, and under a selection what its tile's index gives. A tile that
 * no index reaches stays as it was, and says that it does not follow.
 */
export function offlineClient(data: OfflineData): Pick<Client, 'postAnswers' | 'postIndex'> {
  return {
    postAnswers: async ({ body }) => answers(body.state, body.scope, body.tiles),
    postIndex: async ({ body }) => framesIn(data.indexes[body.active] ?? ''),
  };

  async function* answers(state: OfflineData['state'], scope: 'both' | 'filtered' | undefined, tiles: readonly string[] | undefined): AsyncGenerator<Frame> {
    const [active, boxes] = Object.entries(state.selections).find(([, selected]) => selected.length > 0) ?? [];
    const isAsked = ({ header }: Frame) => 'tile' in header && (!tiles || tiles.includes(header.tile));
    const index = active === undefined ? [] : await collected(framesIn(data.indexes[active] ?? ''));
    for await (const frame of framesIn(data.answers[state.page] ?? '')) {
      if (!isAsked(frame) || ('scope' in frame.header && frame.header.scope === 'filtered')) continue;
      if (scope !== 'filtered' || active === undefined) yield frame;
      if (active === undefined || !('scope' in frame.header) || frame.header.tile === active) continue;
      yield followed(frame, index, boxes!) ?? standing(frame, boxes!);
    }
    yield { header: { kind: 'end', applied: {} } };
  }

  function followed(frame: Frame, index: readonly Frame[], boxes: Parameters<typeof areasOnAxes>[1]): Frame | undefined {
    if (frame.header.kind !== 'cells') return undefined;
    const { tile, part } = frame.header;
    const found = index.find(({ header }) => header.kind === 'index' && header.tile === tile && header.part === part);
    if (!found?.cells) return undefined;
    const built = buildIndex(found.header as IndexHeader, found.cells);
    const areas = areasOnAxes(built.brush, boxes, built.unbound);
    if (!areas) return undefined;
    const parts = built.parts.map(() => new Float64Array(built.groups));
    sliceIndex(built, areas, parts);
    return { header: { ...frame.header, scope: 'filtered' }, cells: { groups: Int32Array.from({ length: built.groups }, (_, group) => group), parts } };
  }

  function standing(frame: Frame, boxes: readonly Readonly<Record<string, unknown>>[]): Frame {
    const missed = Object.keys(boxes[0] ?? {}).map((field): TileNote => ({ kind: 'not-applied', field }));
    const header = frame.header as CellsHeader;
    return { ...frame, header: { ...header, scope: 'filtered', notes: [...header.notes, ...missed] } };
  }
}

async function* framesIn(base64: string): AsyncGenerator<Frame> {
  if (base64 === '') return;
  yield* decodeFrames(chunk(Uint8Array.from(atob(base64), character => character.charCodeAt(0))));
}

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function collected(frames: AsyncGenerator<Frame>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}
