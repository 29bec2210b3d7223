import { renameReferences, renameReferencesInTexts, type Renames } from '@belvedere/document';
import type { DocumentFile } from './document-repository.ts';
import type { DocumentReader } from './document-reader.ts';
import type { Documents } from './read-documents.ts';

/** A file that references renamed names of a model, and its new text. */
export interface Follower {
  readonly dashboard: string;
  readonly document: DocumentFile;
  readonly follow: (text: string) => Promise<string>;
}

/**
 * Returns the dashboards, and their translations, that reference renamed names of a model. Files with errors
 * stay unchanged.
 */
export function followersOf(
  { documents, reader }: { readonly documents: Documents; readonly reader: DocumentReader },
  model: string,
  renames: Renames,
): readonly Follower[] {
  return [...documents.dashboards].flatMap(([id, { file, read }]): Follower[] => {
    if (!read.ok) return [];
    const dashboard: Follower[] =
      renameReferences(read.value, model, renames).length === 0
        ? []
        : [
            {
              dashboard: id,
              document: { kind: 'dashboard', file, draftId: id },
              follow: async text => {
                const now = await reader.read('dashboard', text, file);
                return now.ok ? reader.edit(text, renameReferences(now.value, model, renames)) : text;
              },
            },
          ];
    const translations = [...(documents.translations.get(id)?.values() ?? [])].flatMap(
      (translation): Follower[] => {
        if (
          !translation.read.ok ||
          renameReferencesInTexts(translation.read.value, read.value, model, renames).length === 0
        )
          return [];
        return [
          {
            dashboard: id,
            document: {
              kind: 'translation',
              file: translation.file,
              draftId: `translation:${translation.file}`,
            },
            follow: async text => {
              const now = await reader.read('translation', text, translation.file);
              return now.ok
                ? reader.edit(text, renameReferencesInTexts(now.value, read.value, model, renames))
                : text;
            },
          },
        ];
      },
    );
    return [...dashboard, ...translations];
  });
}
