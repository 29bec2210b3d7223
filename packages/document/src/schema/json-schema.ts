import { z } from 'zod';
import { schemas } from '../read-document.ts';

export type SchemaName = keyof typeof schemas;
export const schemaNames = Object.keys(schemas) as SchemaName[];

/**
 * The JSON Schema (2020-12) of what people write in a file, for editors to complete and check by. Shared
 * parts are
 * in `$defs`: written out, a dashboard's is eight times as long.
 */
export function jsonSchemaOf(name: SchemaName): object {
  return z.toJSONSchema(schemas[name], { io: 'input', reused: 'ref' });
}
