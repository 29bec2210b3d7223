import { ProblemError, resolveWorkspace, type ResolvedWorkspace } from '@belvedere/server';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { prepareSample } from './prepare-sample.ts';
import { project } from './project.ts';

/** The options of every command. */
export interface CommonOptions {
  readonly json?: true;
  readonly quiet?: true;
}

/** Adds the options of every command. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print the result, or the error, as JSON')
    .option('-q, --quiet', 'print only the result');
}

/** The options of commands that may connect to a workspace's sources. */
export interface TrustOption {
  readonly trust?: true;
}

/** Adds the option to treat all sources of the workspace as confirmed. */
export function withTrust(command: Command): Command {
  return command.option(
    '--trust',
    'let the workspace’s sources and settings connect and send the secrets they name, ' +
      'for this run only; use it only if you trust the author',
  );
}

/** The option of commands that read or write the state database. */
export interface StateUrlOption {
  readonly stateUrl?: string;
}

/** Adds the option to keep history, drafts, favourites, views and sessions in PostgreSQL. */
export function withStateUrl(command: Command): Command {
  return command.addOption(
    new Option(
      '--state-url <address>',
      'keep history, drafts, favourites, views and sessions in PostgreSQL: `postgres://USER:PASSWORD@HOST/DATABASE?schema=NAME`; default: a file of the workspace',
    ).env('BELVEDERE_STATE_URL'),
  );
}

/** @throws ProblemError that does not quote the address, which may contain a password */
function checkStateUrl(text: string): void {
  const url = URL.parse(text);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol) || url.hostname === '')
    throw new ProblemError(
      'request-invalid',
      'Invalid `--state-url` or BELVEDERE_STATE_URL. Use an address such as `postgres://USER:PASSWORD@HOST:5432/DATABASE`.',
    );
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(url.searchParams.get('schema') ?? 'belvedere'))
    throw new ProblemError(
      'request-invalid',
      'Invalid schema in `--state-url` or BELVEDERE_STATE_URL: use lower-case letters, digits and _.',
    );
}

/** Addresses that only this machine can reach. */
export const loopback = ['127.0.0.1', 'localhost', '::1'];

export const pathHelp = 'a folder of data, a data file, or a workspace; default: the sample';

/**
 * Resolves a PATH argument to a workspace.
 * @param words other meanings that the argument may have had
 * @throws ProblemError when the path does not exist
 */
export async function workspaceAt(
  given: string | undefined,
  {
    sample = 'workspace',
    words = [],
    trust = false,
    stateUrl,
  }: {
    readonly sample?: 'workspace' | 'gallery';
    readonly words?: readonly string[];
    readonly trust?: boolean;
    readonly stateUrl?: string | undefined;
  } = {},
): Promise<ResolvedWorkspace> {
  if (stateUrl !== undefined) checkStateUrl(stateUrl);
  const location =
    given === undefined
      ? await resolveWorkspace(await prepareSample(project, sample), { isSample: true })
      : await resolveWorkspace(given, { words });
  return { ...location, isTrusted: trust, stateUrl };
}

/**
 * Returns a parser for a whole number in a range.
 * @throws InvalidArgumentError for any other text
 */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < min || number > max)
      throw new InvalidArgumentError(`Expected a number from ${min} to ${max}.`);
    return number;
  };
}

/** Parses names separated by commas, and appends them when the option is repeated. */
export function list(text: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  ];
}

/** Collects the values of a repeated option. */
export function again(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Parses a language tag. @throws InvalidArgumentError for any other text */
export function readLocale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en-US';
  } catch {
    throw new InvalidArgumentError('Expected a language tag, such as de-CH.');
  }
}
