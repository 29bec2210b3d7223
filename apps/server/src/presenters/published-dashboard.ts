import type { OpenDashboard } from '@belvedere/api';
import { isBuiltIn } from '@belvedere/chart';
import type { DashboardFile } from '@belvedere/document';
import { modelsNamed } from '../workspace/workspace.ts';

/** A dashboard without the names of models, tables and files, and with placeholders for the files. */
export interface PublishedDashboard {
  readonly dashboard: OpenDashboard;
  /** By the file of an image or a map. */
  readonly placeholders: ReadonlyMap<string, string>;
}

/**
 * Returns what sites and guests may have of a dashboard. Models, images and maps get numbers for names, since
 * their own names may be those of tables and files. Tags, owners and verifications are for the team. Dates of
 * documents and notes are left out, so that the same dashboard gives the same bytes.
 */
export function publishedDashboard(
  dashboard: OpenDashboard & { document: DashboardFile },
): PublishedDashboard {
  // A dashboard also names models that are missing or have errors.
  const models = numbered('model', [
    ...dashboard.models.map(({ name }) => name),
    ...modelsNamed(dashboard.document),
  ]);
  const placeholders = placeholdersIn(dashboard.document);
  const { updated: _updated, tags: _tags, record: _record, ...rest } = dashboard;
  return {
    placeholders,
    dashboard: {
      ...rest,
      revision: '',
      level: 'view',
      models: dashboard.models.map(model => ({
        ...model,
        name: models.get(model.name)!,
        table: '',
        isGuessed: false,
      })),
      document: withNames(dashboard.document, models, placeholders),
      notes: dashboard.notes.map(({ author: _author, ...note }, id) => ({ ...note, id, at: '' })),
      problems: [],
      waitsFor: [],
      languages: [],
      untranslated: [],
    },
  };
}

/** Returns the placeholders for the files of a dashboard's images and maps, by file. */
export function placeholdersIn({ pages }: DashboardFile): ReadonlyMap<string, string> {
  return numbered(
    'file',
    pages
      .flatMap(page => Object.values(page.tiles))
      .flatMap(tile =>
        tile.kind === 'image'
          ? [tile.file]
          : tile.kind === 'map' && tile.shape !== undefined && !isBuiltIn(tile.shape)
            ? [tile.shape]
            : [],
      ),
  );
}

type Names = ReadonlyMap<string, string>;

function withNames(document: DashboardFile, models: Names, files: Names): DashboardFile {
  const modelOf = ({ model }: { readonly model?: string | undefined }) =>
    model === undefined ? {} : { model: models.get(model)! };
  const pages = document.pages.map(page => ({
    ...page,
    tiles: Object.fromEntries(
      Object.entries(page.tiles).map(([id, tile]) => [
        id,
        {
          ...tile,
          ...modelOf(tile),
          ...(tile.kind === 'image' && { file: files.get(tile.file) ?? '' }),
          ...(tile.kind === 'map' &&
            tile.shape !== undefined && { shape: files.get(tile.shape) ?? tile.shape }),
        },
      ]),
    ) as typeof page.tiles,
  }));
  const { tags: _, ...shown } = document;
  return { ...shown, ...modelOf(document), pages };
}

/** Numbers names; files keep their extension, which says what they are. */
function numbered(kind: string, names: readonly string[]): Map<string, string> {
  return new Map(
    [...new Set(names)].map((name, i) => [name, `${kind}_${i + 1}${/\.\w+$/.exec(name)?.[0] ?? ''}`]),
  );
}
