import type { Problem, StorageReason } from './problem.ts';
import type { ProblemType } from './problem-types.ts';

/** What problems are called in a language, and what to do about them. */
export interface ProblemWords {
  readonly types: Readonly<Record<ProblemType, readonly [title: string, advice: string]>>;
  /** What to do about storage that fails, by its reason: in place of the advice of `state-unavailable`. */
  readonly storage: Readonly<Record<StorageReason, string>>;
  /** In place of `keptDetail`. */
  readonly kept: string;
}

/** All that is said of why to whoever row policies bind. */
export const keptDetail = 'The dashboard’s owner can see the details and fix the problem.';

/** Of these the code says as much as the server's own sentence does. */
const saidByCode: ReadonlySet<string> = new Set<ProblemType>([
  'not-signed-in',
  'source-unconfirmed',
  'not-allowed',
  'query-timeout',
  'query-cancelled',
  'rate-limited',
  'overloaded',
  'not-offline',
  'internal',
]);

export interface ProblemMessage {
  readonly title: string;
  readonly text: string;
  /** The server's own sentence, in English, where it names what the reader's language cannot: a table, a line, what an engine answered. */
  readonly original?: string;
}

/** A problem for its reader. The server speaks English, so there `words` are undefined; a code that is not known is told as it came. */
export function problemMessage(
  { type, title, detail = '', reason }: Problem,
  words: ProblemWords | undefined,
): ProblemMessage {
  const said = words?.types[type as ProblemType];
  if (!words || !said) return { title, text: detail };
  if (detail === keptDetail) return { title: said[0], text: words.kept };
  const advice = (reason && words.storage[reason]) ?? said[1];
  return {
    title: said[0],
    text: advice,
    ...(detail !== '' && !saidByCode.has(type) && { original: detail }),
  };
}

/** The same as one paragraph. */
export function problemSentence(problem: Problem, words: ProblemWords | undefined): string {
  const { title, text, original } = problemMessage(problem, words);
  return words
    ? [title, text, original]
        .filter(part => part)
        .map(part =>
          /[.!?。！？]$/.test(part!) ? part : `${part}${/\p{Script=Han}$/u.test(part!) ? '。' : '.'}`,
        )
        .join(' ')
    : text || title;
}
