import { resolveWorkspace, type ResolvedWorkspace } from '@belvedere/server';
import { InvalidArgumentError, type Command } from 'commander';
import { prepareSample } from './prepare-sample.ts';
import { project } from './project.ts';

/** What every command takes. */
export interface CommonOptions {
  readonly json?: true;
  readonly quiet?: true;
}

/** A command with what every command takes. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print the result, or the error, as JSON')
    .option('-q, --quiet', 'print only the result');
}

/** What a command takes that may reach what a workspace's sources name. */
export interface TrustOption {
  readonly trust?: true;
}

/** A command that may be told to take every source of the workspace for confirmed. */
export function withTrust(command: Command): Command {
  return command.option(
    '--trust',
    'let the workspace’s sources connect and send the secrets they name, for this run only; use it only if you trust the author',
  );
}

export const pathHelp = 'a folder of data, a data file, or a workspace; default: the sample';

/** What a PATH stands for. @param words what else may have been meant by it; @throws ProblemError where nothing is there */
export async function workspaceAt(
  given: string | undefined,
  {
    sample = 'workspace',
    words = [],
    trust = false,
  }: {
    readonly sample?: 'workspace' | 'gallery';
    readonly words?: readonly string[];
    readonly trust?: boolean;
  } = {},
): Promise<ResolvedWorkspace> {
  const location =
    given === undefined
      ? await resolveWorkspace(await prepareSample(project, sample), { isSample: true })
      : await resolveWorkspace(given, { words });
  return { ...location, isTrusted: trust };
}

/** Reads a whole number. @throws InvalidArgumentError */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
    return number;
  };
}

/** Reads names with commas between them, and again where the option is said again. */
export function list(text: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  ];
}

/** Keeps an option that is said several times. */
export function again(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
