import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checklistFile, requirementsOf, withSummary } from './security-checklist.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = readFileSync(checklistFile, 'utf8');
const requirements = requirementsOf(page);

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const inTheStandard = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe('the security checklist', () => {
  test('has each requirement of the standard once', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const chapters = inTheStandard.map((_, i) => ids.filter(id => id.startsWith(`${i + 1}.`)).length);
    expect(chapters).toEqual(inTheStandard);
  });

  test('has its counts in the summary (`node scripts/security-checklist.ts` writes them)', () => {
    expect(page).toBe(withSummary(page));
  });

  test('lists what is not met, and nothing else, by risk', () => {
    const list = /### Not met.*?\n(?=## )/s.exec(page)?.[0] ?? '';
    const listed = [...list.matchAll(/\*\*(\d[\d.]*)\*\*/g)].map(match => match[1]!);
    const notMet = requirements.filter(({ state }) => state === 'not met').map(({ id }) => id);
    expect(listed.toSorted()).toEqual(notMet.toSorted());
  });

  test('names files and tests that exist', () => {
    const missing = requirements.flatMap(({ id, evidence }) =>
      referencesIn(evidence)
        .filter(({ file, name }) => !isThere(file, name))
        .map(({ file, name }) => `${id}: ${file}${name === undefined ? '' : `: ${name}`}`),
    );
    expect(missing).toEqual([]);
  });

  test('says where or why for each requirement', () => {
    const bare = requirements.filter(({ state, evidence }) =>
      state === 'met' ? referencesIn(evidence).length === 0 : evidence === '',
    );
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
});

interface Reference {
  readonly file: string;
  /** The name of a test; undefined if the whole file is meant. */
  readonly name: string | undefined;
}

/** Returns the files and tests that a text names: `auth/totp.ts`, or `e2e/team/links/links: the test’s name`. */
function referencesIn(text: string): Reference[] {
  return [...text.matchAll(/`([\w./-]+(?:\/|\.\w+$)[\w./-]*|[\w-]+\.(?:ts|md|json))(?:: ([^`]+))?`/g)]
    .filter(([, file]) => !file!.startsWith('.'))
    .map(([, file, name]) => ({ file: file!, name }));
}

function isThere(file: string, name: string | undefined): boolean {
  const found = [root, path.join(root, 'apps/server/src')]
    .flatMap(folder => [path.join(folder, file), path.join(folder, `${file}.test.ts`)])
    .find(one => existsSync(one));
  return found !== undefined && (name === undefined || readFileSync(found, 'utf8').includes(name));
}
