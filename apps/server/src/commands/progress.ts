/** A command's progress, while it takes time. */
export type Progress =
  | {
      readonly kind: 'importing';
      readonly tables: readonly { readonly name: string; readonly percent: number }[];
    }
  | { readonly kind: 'connecting'; readonly sources: readonly string[] }
  | { readonly kind: 'asking'; readonly done: number; readonly of: number }
  | { readonly kind: 'building'; readonly done: number; readonly of: number };

/** Describes the progress in words: the activity, and a changing number if there is one. */
export function progressInWords(progress: Progress): readonly [what: string, far: string] {
  switch (progress.kind) {
    case 'importing':
      return [
        `Importing ${progress.tables.map(({ name }) => name).join(', ')} …`,
        `${Math.min(...progress.tables.map(({ percent }) => percent))} %`,
      ];
    case 'connecting':
      return [`Connecting to ${progress.sources.join(', ')} …`, ''];
    case 'asking':
      return [`Querying ${progress.of} ${progress.of === 1 ? 'tile' : 'tiles'} …`, `${progress.done}`];
    case 'building':
      return [`Building ${progress.of} ${progress.of === 1 ? 'page' : 'pages'} …`, `${progress.done}`];
  }
}
