import { z } from 'zod';
import { PlainDuration } from './duration.ts';
import { Label, LongText } from './names.ts';

/**
 * The folder of a workspace's secrets, relative to the workspace. A workspace may not read secrets from other
 * folders.
 */
export const secretsFolder = '.belvedere/secrets';

/**
 * Source files contain no secrets. They refer to an environment variable or to a file in the workspace's
 * secrets folder.
 */
const secretPattern =
  /^\$\{(?:env:(?<variable>[A-Za-z_][A-Za-z0-9_]*)|file:\.belvedere\/secrets\/(?<file>[\p{L}\p{N}_][\p{L}\p{N}_.-]*))\}$/u;
const Secret = z
  .string()
  .max(300)
  .regex(
    secretPattern,
    `a reference such as \`\${env:PGPASSWORD}\`, or \`\${file:${secretsFolder}/NAME}\` for a file in that folder; never the secret itself`,
  );

/** The target of a reference to a secret. */
export interface SecretName {
  readonly from: 'env' | 'file';
  /** The environment variable, or the file in the secrets folder. */
  readonly name: string;
}

/** @throws RangeError for a text that is not a reference; sources that were read never contain such a text */
export function secretNamed(reference: string): SecretName {
  const { variable, file } = secretPattern.exec(reference)?.groups ?? {};
  if (variable !== undefined) return { from: 'env', name: variable };
  if (file !== undefined) return { from: 'file', name: file };
  throw new RangeError('This is not a reference to a secret.');
}
const Plain = z.string().min(1).max(300);

/** A host name or address only, without user, port or path. */
export const hostPattern = /^([\p{L}\p{N}_][\p{L}\p{N}._-]*|(?=[^:]*:[^:]*:)[\da-fA-F:.]+(%[\w.-]+)?)$/u;
export const Host = z
  .string()
  .min(1)
  .max(300)
  .regex(
    hostPattern,
    'a host name or address only, such as `db.example.org`: no `https://`, and the port in `port`',
  );

/** The maximum age of a cached result or a copy, before Belvedere queries the source again. */
export const RefreshPolicy = z.strictObject({ every: PlainDuration });

export const ServerConnection = z.strictObject({
  host: Host,
  port: z.number().int().min(1).max(65_535).optional(),
  database: Plain,
  user: Plain,
  password: Secret.optional(),
  /**
   * Verified against the system's certificate authorities, or against the certificate in a file. Without TLS,
   * only local connections.
   */
  tls: z.union([z.boolean(), z.strictObject({ ca: Secret })]).optional(),
});
export type ServerConnection = z.infer<typeof ServerConnection>;

const common = { version: z.literal(1), label: Label.optional(), description: LongText.optional() };
const server = {
  ...common,
  connection: ServerConnection,
  schemas: z.array(Plain).min(1).max(100).optional(),
  refresh: RefreshPolicy.optional(),
  /** Nothing is asked of a paused source. Tiles show its last results. A text is the reason. */
  paused: z.union([z.boolean(), z.string().trim().min(1).max(200)]).optional(),
};
const file = { ...common, connection: z.strictObject({ path: z.string().min(1).max(1000) }) };

/** `sources/NAME.yaml`: a data source, beside the files in `data/`. */
export const SourceFile = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('postgres'),
      ...server,
      connection: ServerConnection.extend({
        /** A host, or the folder of a Unix socket on this machine. */
        host: z.union([Host, z.string().max(300).regex(/^\//)]),
      }),
    }),
    z.strictObject({ kind: z.literal('mysql'), ...server }),
    z.strictObject({
      kind: z.literal('clickhouse'),
      ...server,
      /**
       * How to read DateTime: as an instant, shown in the dashboard's zone, or as a wall-clock time, the same
       * everywhere. For a wall-clock time, the column's own zone must be UTC.
       */
      times: z.enum(['moments', 'wall clock']).optional(),
    }),
    z.strictObject({ kind: z.literal('duckdb'), ...file }),
    z.strictObject({ kind: z.literal('sqlite'), ...file }),
  ])
  .meta({ title: 'A Belvedere source' });
export type SourceFile = z.infer<typeof SourceFile>;
export type ServerSource = Extract<SourceFile, { kind: 'postgres' | 'mysql' | 'clickhouse' }>;

/** Whether a source is a database in a file, whose tables are imported like other files. */
export function isDatabaseFile<S extends { readonly kind: string }>(
  source: S | undefined,
): source is S & { readonly kind: 'sqlite' | 'duckdb' } {
  return source?.kind === 'sqlite' || source?.kind === 'duckdb';
}

export const defaultPorts = { postgres: 5432, mysql: 3306, clickhouse: 8123 } as const;
