import { jsonSchemaOf, schemaFile, schemaFolder, schemaNames } from '@belvedere/document';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../http/problem-error.ts';
import { replaceFile } from './create-file.ts';

/**
 * The JSON Schemas as files below the workspace's folder. They are written again for each version, so git leaves
 * them out.
 */
const schemaFiles: () => readonly (readonly [file: string, text: string])[] = () => [
  ...schemaNames.map(name => [schemaFile(name), `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`] as const),
  [`${schemaFolder}/.gitignore`, '*\n'],
];

/**
 * Writes the schemas that documents name in their first line, where they are missing or of another version.
 * A folder that cannot be written goes without.
 */
export async function writeEditorSchemas(root: string): Promise<void> {
  for (const [file, text] of schemaFiles()) {
    const disk = await readFile(path.join(root, file), 'utf8').catch(() => undefined);
    if (disk === text) continue;
    try {
      await replaceFile(root, file.split('/'), text);
    } catch (error) {
      if (error instanceof ProblemError) return;
      throw error;
    }
  }
}
