import type { DocumentKind } from './read-document.ts';

/** The workspace's folder of JSON Schemas, one `KIND.json` for each kind of document. */
export const schemaFolder = '.belvedere/schema';

const ownSchema = new RegExp(
  String.raw`^# yaml-language-server: \$schema=(?:https://belvedere\.example/schema/|(?:\.\./)*\.belvedere/schema/)` +
    String.raw`(?<kind>[a-z]+)\.json[ \t]*$`,
  'm',
);

/**
 * The first line of a document: editors complete and check it by a schema of the workspace, also offline.
 * @param file from the workspace's folder
 */
export function schemaLine(kind: string, file: string): string {
  const up = '../'.repeat(file.split('/').length - 1);
  return `# yaml-language-server: $schema=${up}${schemaFolder}/${kind}.json`;
}

/**
 * The text with its schema line as it has to be at `file`. A line that names another schema stays.
 */
export function withSchemaLineFor(file: string, text: string): string {
  const kind = ownSchema.exec(text)?.groups?.['kind'];
  return kind === undefined ? text : text.replace(ownSchema, () => schemaLine(kind, file));
}

/** The file of a kind's schema in a workspace. */
export function schemaFile(kind: DocumentKind): string {
  return `${schemaFolder}/${kind}.json`;
}
