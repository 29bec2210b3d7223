import { randomInt } from 'node:crypto';
import { tokenHash } from '../secrets/token-hash.ts';

const count = 10;
const groups = 6;
const groupLength = 4;
/** Codes of earlier versions had four groups. They still work until they are used or replaced. */
const earlierGroups = 4;
/** Base32 without characters that are mistaken for others: 5 bits each. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns ten new codes of 120 bits each, such as `8JQK-M2ZA-WX7R-D4TP-6HVE-KQ3N`. */
export function newBackupCodes(): string[] {
  return Array.from({ length: count }, () =>
    Array.from({ length: groups }, () =>
      Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
    ).join('-'),
  );
}

/** Whether a text has the form of a backup code, however it is spaced. */
export function isBackupCode(text: string): boolean {
  return [groups, earlierGroups].some(number => plain(text).length === number * groupLength);
}

/** Returns the form in which a code is stored. With 112 random bits or more, a plain hash is enough (ASVS 6.5.2). */
export function backupCodeHash(code: string): string {
  return tokenHash(`backup ${plain(code)}`);
}

const plain = (code: string) => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
