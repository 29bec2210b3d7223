import { describeAccess, type SourceAccess } from '@belvedere/api';
import {
  isDatabaseFile,
  defaultPorts,
  secretNamed,
  type ServerSource,
  type SourceFile,
} from '@belvedere/document';
import { isThisMachine } from '@belvedere/engine';
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ProblemError } from '../../http/problems.ts';

/** The target of a source's secrets, with all defaults filled in. Any difference makes it another target. */
export interface Target {
  readonly kind: ServerSource['kind'];
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** `ca` is the reference to the authority's certificate. */
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

/** A source's access beyond the workspace, and the hash that identifies exactly that access. */
export interface WantedAccess {
  readonly access: SourceAccess;
  readonly content: string;
}

/**
 * Returns the access that a source must be confirmed for; undefined for a file of the workspace. Resolves,
 * opens and reads nothing, and does not touch files outside the workspace.
 */
export async function accessOf(source: SourceFile, root: string): Promise<WantedAccess | undefined> {
  if (isDatabaseFile(source)) {
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

/**
 * The full hash, so that no two sources can be crafted with the same hash, where confirming one would confirm
 * the other.
 */
export function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/**
 * Returns a path's target unless it is a file of the workspace. Targets outside its folder, also through
 * links, and Belvedere's own records in it are returned.
 */
export async function pathOutside(given: string, root: string): Promise<string | undefined> {
  const full = path.resolve(root, given);
  if (!isWithin(root, full)) return full;
  // A link in the folder may lead anywhere.
  const real = await realpath(full).catch(() => full);
  return isWithin(root, real) && !isWithin(path.join(root, '.belvedere'), real) ? undefined : real;
}

export function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** The problem for requests that need an unconfirmed source. */
export function unconfirmedProblem({ label }: { readonly label: string }): ProblemError {
  return new ProblemError(
    'source-unconfirmed',
    `${label} needs confirmation. Review and confirm it on its page under Data.`,
  );
}

/** The problem for requests that need a paused source. */
export function pausedProblem({
  label,
  pausedFor,
}: {
  readonly label: string;
  readonly pausedFor?: string;
}): ProblemError {
  return new ProblemError(
    'source-paused',
    `${label} is paused${pausedFor === undefined ? '' : `: ${pausedFor}`}. An admin can resume it on its page under Data.`,
  );
}

/** The problem of an unconfirmed source in full, for clients without a page to confirm it. */
export function unconfirmedInFull({
  label,
  unconfirmed,
}: {
  readonly label: string;
  readonly unconfirmed?: WantedAccess;
}): string {
  return `${label} needs confirmation.${unconfirmed ? ` Once confirmed, it will: ${describeAccess(unconfirmed.access)}` : ''}`;
}
