import { ProblemError } from '../../http/problems.ts';
import { commonPasswords } from './common-passwords.ts';

const shortestPassword = 12;
/** How many characters a password needs beside a word that an attacker tries first. */
const minLengthBesideWord = 8;
const minDistinct = 5;
const firstWords = [
  'belvedere',
  'password',
  'passwort',
  'welcome',
  'willkommen',
  'qwerty',
  'qwertz',
  'admin',
];
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
];

/**
 * Refuses passwords that are short, used by many people, or easily guessed.
 *
 * @throws ProblemError `request-invalid` that says what to change
 */
export function checkPassword(password: string, { email, name }: { email: string; name: string }): void {
  const fault = faultOf(password, [...partsOf(email), ...partsOf(name)]);
  if (fault !== undefined) throw refused(fault);
}

/** The problem of a password that is in a file of breached ones. */
export function breachedPassword(): ProblemError {
  return refused('was published in a data breach, so attackers try it');
}

function refused(fault: string): ProblemError {
  const message = `The password ${fault}. Choose another one, for example four random words.`;
  return new ProblemError('request-invalid', message, { errors: [{ path: 'password', message: fault }] });
}

function faultOf(password: string, own: readonly string[]): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (Array.from(text).length < shortestPassword) return `has fewer than ${shortestPassword} characters`;
  if (commonPasswords.has(text)) return 'is one that many people use';
  if (new Set(text).size < minDistinct || isRepeated(text)) return 'repeats a few characters';
  if (isSequence(text)) return 'follows the order of the alphabet, of numbers or of the keyboard';
  const word = [...own, ...firstWords].find(
    one => text.includes(one) && text.replaceAll(one, '').length < minLengthBesideWord,
  );
  return word === undefined ? undefined : `consists mainly of “${word}”`;
}

/** The parts of a name or e-mail address that are long enough to be recognized, in lower case. */
function partsOf(name: string): string[] {
  const whole = name.toLowerCase();
  return [whole, ...whole.split(/[\s@._+-]+/)].filter(part => part.length >= 4);
}

/** Whether a text is one piece, repeated. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length++) {
    if (text.slice(length) === text.slice(0, -length)) return true;
  }
  return false;
}

/** Whether most characters follow the one before them, forwards or backwards. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let i = 1; i < text.length; i++) {
    const pair = text.slice(i - 1, i + 1);
    const back = pair[1]! + pair[0]!;
    if (pair[0] === pair[1] || rows.some(row => row.includes(pair) || row.includes(back))) steps++;
  }
  return steps >= (text.length - 1) * 0.75;
}
