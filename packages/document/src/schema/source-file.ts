import { z } from 'zod';
import { PlainDuration } from './duration.ts';
import { Label, LongText } from './names.ts';

/** Where the secrets of a workspace lie, from its folder. Files anywhere else are none of a workspace's business. */
export const secretsFolder = '.belvedere/secrets';

/** A secret is never written down here: it is named, by an environment variable or by a file of the workspace's secrets. */
const secretPattern =
  /^\$\{(?:env:(?<variable>[A-Za-z_][A-Za-z0-9_]*)|file:\.belvedere\/secrets\/(?<file>[\p{L}\p{N}_][\p{L}\p{N}_.-]*))\}$/u;
const Secret = z
  .string()
  .max(300)
  .regex(
    secretPattern,
    `a reference such as \`\${env:PGPASSWORD}\`, or \`\${file:${secretsFolder}/NAME}\` for a file in that folder; never the secret itself`,
  );

/** What a reference to a secret names. */
export interface SecretName {
  readonly from: 'env' | 'file';
  /** The variable, or the file in the folder of secrets. */
  readonly name: string;
}

/** @throws RangeError where a text is no reference, which a source that was read never has */
export function secretNamed(reference: string): SecretName {
  const { variable, file } = secretPattern.exec(reference)?.groups ?? {};
  if (variable !== undefined) return { from: 'env', name: variable };
  if (file !== undefined) return { from: 'file', name: file };
  throw new RangeError('This is not a reference to a secret.');
}
const Plain = z.string().min(1).max(300);

/** A machine's name or address and nothing else, such as how one is let in, or where on it. */
export const hostPattern = /^([\p{L}\p{N}_][\p{L}\p{N}._-]*|(?=[^:]*:[^:]*:)[\da-fA-F:.]+(%[\w.-]+)?)$/u;
export const Host = z
  .string()
  .min(1)
  .max(300)
  .regex(
    hostPattern,
    'a host name or address only, such as `db.example.org`: no `https://`, and the port in `port`',
  );

/** How old an answer, or a copy, may be before the source is asked again. */
export const RefreshPolicy = z.strictObject({ every: PlainDuration });

export const ServerConnection = z.strictObject({
  host: Host,
  port: z.number().int().min(1).max(65_535).optional(),
  database: Plain,
  user: Plain,
  password: Secret.optional(),
  /** Checked against the system's authorities, or against the certificate in a file. Without it, only on this machine. */
  tls: z.union([z.boolean(), z.strictObject({ ca: Secret })]).optional(),
});
export type ServerConnection = z.infer<typeof ServerConnection>;

const common = { version: z.literal(1), label: Label.optional(), description: LongText.optional() };
const server = {
  ...common,
  connection: ServerConnection,
  schemas: z.array(Plain).min(1).max(100).optional(),
  refresh: RefreshPolicy.optional(),
};
const file = { ...common, connection: z.strictObject({ path: z.string().min(1).max(1000) }) };

/** `sources/NAME.yaml`: where data comes from, beside the files in `data/`. */
export const SourceFile = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('postgres'),
      ...server,
      connection: ServerConnection.extend({
        /** Or the folder of its socket, on this machine. */ host: z.union([
          Host,
          z.string().max(300).regex(/^\//),
        ]),
      }),
    }),
    z.strictObject({ kind: z.literal('mysql'), ...server }),
    z.strictObject({
      kind: z.literal('clickhouse'),
      ...server,
      /** What a DateTime is: a moment, shown in the dashboard's zone, or what a clock showed, the same everywhere. The column's own zone must then be UTC. */
      times: z.enum(['moments', 'wall clock']).optional(),
    }),
    z.strictObject({ kind: z.literal('duckdb'), ...file }),
    z.strictObject({ kind: z.literal('sqlite'), ...file }),
  ])
  .meta({ title: 'A Belvedere source' });
export type SourceFile = z.infer<typeof SourceFile>;
export type ServerSource = Extract<SourceFile, { kind: 'postgres' | 'mysql' | 'clickhouse' }>;

export const defaultPorts = { postgres: 5432, mysql: 3306, clickhouse: 8123 } as const;
