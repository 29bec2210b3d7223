import { didYouMean, offeredIn, type DocumentProblem } from '@belvedere/document';
import { contentHash } from './documents/content-hash.ts';
import type { DocumentText } from './documents/read-documents.ts';
import type { ScheduledDocument } from './workspace.ts';

/** Records a problem of a document, where it is in the text. */
export type ReportProblem = (path: readonly PropertyKey[], message: string) => void;

/**
 * Combines an alert's or a report's text with what it refers to.
 *
 * @param check reports what is wrong with a document that can be read
 */
export function scheduledDocument<K extends 'alert' | 'report'>(
  id: string,
  { file, text, read }: DocumentText<K>,
  check: (document: Extract<DocumentText<K>['read'], { ok: true }>['value'], report: ReportProblem) => void,
): ScheduledDocument<Extract<DocumentText<K>['read'], { ok: true }>['value']> {
  const about = { id, file, revision: contentHash(text) };
  if (!read.ok) return { ...about, title: id.split('/').at(-1)!, problems: read.problems };
  const problems: DocumentProblem[] = [];
  check(read.value, (path, message) => {
    const suggestion = offeredIn(message);
    problems.push({
      code: 'document.invalid',
      file,
      path: path.map(String).join('.'),
      ...read.locate(path),
      message,
      ...(suggestion !== undefined && { suggestion }),
    });
  });
  return { ...about, document: read.value, title: read.value.title, problems };
}

/** The message about a name that nothing has. @param of where it was looked for, such as a dashboard */
export function unknownName(what: string, name: string, known: Iterable<string>, of?: string): string {
  const place = of === undefined ? '' : ` of \`${of}\``;
  return `Unknown ${what} \`${name}\`${place}${didYouMean(name, [...known]) || '.'}`;
}
