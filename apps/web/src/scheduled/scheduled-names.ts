import type { ModelSummary, OpenDashboard, Subject } from '@belvedere/api';
import { labelFrom, onOneLine } from '@belvedere/document';
import type { Completion } from '@codemirror/autocomplete';
import { tileTitle } from '../dashboard/tiles/describe.ts';
import { presentDashboard } from '../dashboard/tiles/resolved-dashboard.ts';
import type { Names } from '../editor/text-view/yaml-editor.ts';

/** What the text of an alert or a report may name, as far as it is known. */
export interface ScheduledNames {
  readonly dashboards: readonly { readonly id: string; readonly title: string }[];
  /** The dashboard that the text is about. */
  readonly dashboard?: OpenDashboard | undefined;
  /** Models that can be watched. */
  readonly models: readonly ModelSummary[];
  /** The measures that can be watched; those of all `fieldsOf` if undefined. */
  readonly measures?: readonly { readonly name: string; readonly label: string }[];
  /** The models whose fields filters can name. */
  readonly fieldsOf: readonly ModelSummary[];
  /** Whether only figures can be named as tiles. */
  readonly isOfFigures: boolean;
  readonly subjects: readonly Subject[];
  readonly channels: readonly { readonly name: string; readonly kind: string }[];
}

/** Returns the names that the text of an alert or a report may use, for completion and tooltips. */
export function scheduledNames(known: ScheduledNames): Names {
  const fields = known.fieldsOf.flatMap(model => model.dimensions).filter(({ isHidden }) => !isHidden);
  const measures =
    known.measures ?? known.fieldsOf.flatMap(model => model.measures).filter(({ isHidden }) => !isHidden);
  const tiles = tilesOf(known.dashboard);
  const pages = known.dashboard?.document?.pages ?? [];
  return {
    offered: wanted => {
      switch (wanted) {
        case 'dashboard':
          return known.dashboards.map(({ id, title }) => completion(id, title, 'class'));
        case 'tile':
          return tiles
            .filter(({ isFigure }) => isFigure || !known.isOfFigures)
            .map(({ id, title }) => completion(id, title, 'class'));
        case 'page':
          return pages.map(({ title }, i) => completion(String(i + 1), title, 'constant'));
        case 'parameter':
          return Object.entries(known.dashboard?.document?.parameters ?? {}).map(([name, { label }]) =>
            completion(name, label ?? labelFrom(name), 'variable'),
          );
        case 'model':
          return known.models.map(({ name, label }) => completion(name, label, 'class'));
        case 'measure':
          return measures.map(({ name, label }) => completion(name, label, 'function'));
        case 'field':
          return fields.map(({ name, label, type }) => completion(name, `${label}, ${type}`, 'variable'));
        case 'user':
          return known.subjects.flatMap(({ kind, name, email }) =>
            kind === 'user' && email !== undefined ? [completion(email.toLowerCase(), name, 'text')] : [],
          );
        case 'group':
          return known.subjects.flatMap(({ kind, name }) =>
            kind === 'group' ? [completion(name, '', 'text')] : [],
          );
        case 'channel':
          return known.channels.map(({ name, kind }) => completion(name, kind, 'text'));
        default:
          return [];
      }
    },
    describe: word => {
      const field = [...fields, ...measures].find(({ name }) => name === word);
      return (
        field?.label ??
        tiles.find(({ id }) => id === word)?.title ??
        known.dashboards.find(({ id }) => id === word)?.title
      );
    },
  };
}

/** Names with spaces or signs of YAML are written in quotes. */
function completion(name: string, detail: string, type: string): Completion {
  const written = onOneLine(name);
  return {
    label: name,
    type,
    ...(detail !== '' && { detail }),
    ...(written !== name && !/^\d+$/.test(name) && { apply: written }),
  };
}

function tilesOf(dashboard: OpenDashboard | undefined) {
  if (!dashboard) return [];
  const { document, models } = presentDashboard(dashboard, { filters: {}, selections: {} });
  return (document?.pages ?? []).flatMap(page =>
    Object.entries(page.tiles).map(([id, tile]) => {
      const model = models.find(({ name }) => name === (tile.model ?? document?.model));
      return { id, title: tileTitle(tile, model) || labelFrom(id), isFigure: tile.kind === 'kpi' };
    }),
  );
}
