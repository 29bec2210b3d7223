import {
  mergeDocuments,
  readDocument,
  type ConflictSide,
  type Conflict,
  type Tile,
} from '@belvedere/document';
import { createContext, useContext, useState, type ReactNode } from 'react';
import type { DashboardEditor } from '../state/dashboard-editor.ts';
import type { Conflicts } from '../state/document-editor.ts';
import { PreviewTile } from './PreviewTile.tsx';
import { useTilePreviews, type Previews } from './use-tile-previews.ts';

const Drawn = createContext<Previews | undefined>(undefined);

const tileOf = ({ path: [pages, , tiles, id] }: Conflict) =>
  pages === 'pages' && tiles === 'tiles' && typeof id === 'string' ? id : undefined;
const nameOf = (side: ConflictSide, id: string) => `${side}_${id}`.slice(0, 63);

/** Draws the tiles that were changed in two ways, each as it would be either way, for the pictures below. */
export function ConflictPictures({
  editor,
  conflicts,
  children,
}: {
  readonly editor: DashboardEditor;
  readonly conflicts: Conflicts;
  readonly children: ReactNode;
}) {
  const [tiles] = useState(() =>
    Object.fromEntries(
      (['mine', 'theirs'] as const).flatMap(side => {
        const read = readDocument(
          'dashboard',
          mergeDocuments(conflicts.base, editor.state.text, conflicts.theirs.text, () => side).text,
          '',
        );
        if (!read.ok) return [];
        return conflicts.list.flatMap(conflict => {
          const id = tileOf(conflict);
          const tile =
            id === undefined
              ? undefined
              : read.value.pages.map(page => page.tiles[id]).find(one => one !== undefined);
          return id !== undefined && tile ? [[nameOf(side, id), tile as Tile] as const] : [];
        });
      }),
    ),
  );
  const { previews } = useTilePreviews(
    editor,
    editor.state.document.model ?? Object.values(tiles)[0]?.model ?? '',
    tiles,
  );
  return <Drawn value={previews}>{children}</Drawn>;
}

/** The tile that a conflict is about, in one of the two versions. Nothing if it is about something else. */
export function ConflictPicture({
  conflict,
  side,
}: {
  readonly conflict: Conflict;
  readonly side: ConflictSide;
}) {
  const previews = useContext(Drawn);
  const id = tileOf(conflict);
  if (id === undefined) return null;
  const name = nameOf(side, id);
  return (
    <div data-picture={name} className="h-44">
      {previews?.dashboard.document?.pages[0]?.tiles[name] ? (
        <PreviewTile previews={previews} name={name} />
      ) : null}
    </div>
  );
}
