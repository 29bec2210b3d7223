import { describeAccess, type SourceAccess } from '@belvedere/api';
import { defaultPorts, secretNamed, type ServerSource, type SourceFile } from '@belvedere/document';
import { isThisMachine } from '@belvedere/engine';
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../problems.ts';

/** To whom a source's secrets go, all that its file leaves out filled in. A change of anything here makes it somebody else. */
export interface Target {
  readonly kind: ServerSource['kind'];
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** `ca` is the reference to the certificate of the authority. */
  readonly tls: 'off' | 'verified' | { readonly ca: string };
}

export function targetOf({
  kind,
  connection: { host, port = defaultPorts[kind], user, tls = !isThisMachine(host) },
}: ServerSource): Target {
  return { kind, host, port, user, tls: typeof tls === 'object' ? { ca: tls.ca } : tls ? 'verified' : 'off' };
}

export function isSameTarget(a: ServerSource, b: ServerSource): boolean {
  return JSON.stringify(targetOf(a)) === JSON.stringify(targetOf(b));
}

/** What a source reaches beyond the workspace, and the hash that stands for exactly that. */
export interface WantedAccess {
  readonly access: SourceAccess;
  readonly content: string;
}

/**
 * What a source has to be confirmed for; undefined for a file of the workspace. Nothing is resolved, opened or read for it, and no file
 * outside the workspace is looked at.
 */
export async function accessOf(source: SourceFile, root: string): Promise<WantedAccess | undefined> {
  if (source.kind === 'sqlite' || source.kind === 'duckdb') {
    const outside = await pathOutside(source.connection.path, root);
    return outside === undefined
      ? undefined
      : { access: { path: outside }, content: hashOf([source.kind, outside]) };
  }
  const target = targetOf(source);
  const { database, password } = source.connection;
  const { host, port, user, tls } = target;
  const access: SourceAccess = {
    host,
    port,
    database,
    user,
    tls:
      typeof tls === 'object'
        ? 'authority'
        : tls === 'verified'
          ? 'verified'
          : isThisMachine(host)
            ? 'local'
            : 'off',
    ...(password !== undefined && { password: secretNamed(password) }),
    ...(typeof tls === 'object' && { authority: secretNamed(tls.ca) }),
  };
  return { access, content: hashOf([target, database, password ?? null]) };
}

/** Whole, so that nobody can make two sources of one hash, and have the one confirmed by the other. */
function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Where a path leads that is not a file of the workspace: out of its folder, by a link too, or into Belvedere's own records there. */
async function pathOutside(given: string, root: string): Promise<string | undefined> {
  const full = path.resolve(root, given);
  if (!isWithin(root, full)) return full;
  // A link in the folder may lead anywhere.
  const real = await realpath(full).catch(() => full);
  return isWithin(root, real) && !isWithin(path.join(root, '.belvedere'), real) ? undefined : real;
}

export function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** The problem of whoever needs a source that nobody has confirmed. */
export function unconfirmedProblem({ label }: { readonly label: string }): ProblemError {
  return new ProblemError(
    'source-unconfirmed',
    `${label} needs confirmation. Review and confirm it on its page under Data.`,
  );
}

/** The same in full, for where there is no such page. */
export function unconfirmedInFull({
  label,
  unconfirmed,
}: {
  readonly label: string;
  readonly unconfirmed?: WantedAccess;
}): string {
  return `${label} needs confirmation.${unconfirmed ? ` Once confirmed, it will: ${describeAccess(unconfirmed.access)}` : ''}`;
}
