import { joinSentences } from './join-sentences.ts';
import type { Problem, StorageReason } from './problem.ts';
import type { ProblemType } from './problem-types.ts';

/** Titles and advice for problems, in one language. */
export interface ProblemWords {
  readonly types: Readonly<Record<ProblemType, readonly [title: string, advice: string]>>;
  /** Advice for storage errors by reason, instead of the advice of `state-unavailable`. */
  readonly storage: Readonly<Record<StorageReason, string>>;
  /** Replaces `keptDetail`. */
  readonly kept: string;
  /** Replaces `notAddedUpDetail`. */
  readonly notAddedUp: string;
  /** Replaces `signInAdvice`. */
  readonly signIn: string;
}

/** The only detail of a problem that users bound by row policies see. */
export const keptDetail = 'The dashboard’s owner can see the details and fix the problem.';

/** The detail of `not-offline` for a tile whose figures no page can compute from those of groups. */
export const notAddedUpDetail =
  'Medians and distinct counts do not add up, so this page has none for this filter or selection. Clear it to see the tile.';

/** The detail of `not-signed-in` in a workspace with accounts; without them it has the command to run. */
export const signInAdvice = 'Sign in to continue.';

/** Codes whose title and advice say as much as the server's own sentence. */
const saidByCode: ReadonlySet<string> = new Set<ProblemType>([
  'not-signed-in',
  'source-unconfirmed',
  'not-allowed',
  'query-timeout',
  'query-cancelled',
  'cancelled-by-admin',
  'rate-limited',
  'overloaded',
  'not-offline',
  'internal',
]);

export interface ProblemMessage {
  readonly title: string;
  readonly text: string;
  /**
   * The server's own sentence, in English, if it has details that the translation lacks: a table, a line, an
   * engine's error.
   */
  readonly original?: string;
}

/**
 * Translates a problem for the user. `words` is undefined for English, the server's language. Unknown codes
 * stay untranslated.
 */
export function problemMessage(
  { type, title, detail = '', reason }: Problem,
  words: ProblemWords | undefined,
): ProblemMessage {
  const said = words?.types[type as ProblemType];
  if (!words || !said) return { title, text: detail };
  if (detail === signInAdvice) return { title: said[0], text: words.signIn };
  if (detail === notAddedUpDetail) return { title: said[0], text: words.notAddedUp };
  if (detail === keptDetail) return { title: said[0], text: words.kept };
  const advice = (reason && words.storage[reason]) ?? said[1];
  return {
    title: said[0],
    text: advice,
    ...(detail !== '' && !saidByCode.has(type) && { original: detail }),
  };
}

/** Returns the message as one paragraph. */
export function problemSentence(problem: Problem, words: ProblemWords | undefined): string {
  const { title, text, original } = problemMessage(problem, words);
  return words
    ? joinSentences(
        [title, text, original]
          .flatMap(part => part || [])
          .map(part =>
            /[.!?。！？]$/.test(part) ? part : `${part}${/\p{Script=Han}$/u.test(part) ? '。' : '.'}`,
          ),
      )
    : text || title;
}
