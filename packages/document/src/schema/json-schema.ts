import { z } from 'zod';
import { schemas } from '../read-document.ts';

export type SchemaName = keyof typeof schemas;
export const schemaNames = Object.keys(schemas) as SchemaName[];

/** The JSON Schema (2020-12) of what people write in a file, for editors to complete and check by. */
export function jsonSchemaOf(name: SchemaName): object {
  return z.toJSONSchema(schemas[name], { io: 'input' });
}
