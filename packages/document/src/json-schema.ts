import { z } from 'zod';
import { Dashboard } from './dashboard.ts';
import { ModelFile } from './model-file.ts';
import { SourceFile } from './source-file.ts';
import { TableFile } from './table-file.ts';
import { TranslationFile } from './translation-file.ts';
import { WorkspaceFile } from './workspace-file.ts';

const published = { dashboard: Dashboard, model: ModelFile, source: SourceFile, table: TableFile, translation: TranslationFile, workspace: WorkspaceFile };
export type SchemaName = keyof typeof published;
export const schemaNames = Object.keys(published) as SchemaName[];

/** The JSON Schema (2020-12) of what people write in a file, for editors to complete and check by. */
export function jsonSchemaOf(name: SchemaName): object {
  return z.toJSONSchema(published[name], { io: 'input' });
}
