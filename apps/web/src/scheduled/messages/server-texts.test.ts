import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { serverTexts as german } from './server-texts-de.ts';
import { serverTexts as chinese } from './server-texts-zh.ts';
import { translateServerText } from './translate-server-text.ts';

const server = path.resolve(import.meta.dirname, '../../../../server/src');

/** The files whose texts are stored with jobs and deliveries. */
const files = [
  'alerts/alert-job.ts',
  'backup/backup-job.ts',
  'deliver/deliver-job.ts',
  'deliver/safe-addresses.ts',
  'deliver/safe-request.ts',
  'deliver/sender.ts',
  'operations/housekeeping.ts',
  'mail/comment-digest.ts',
  'mail/mailer.ts',
  'reports/report-job.ts',
  'workspace/sources/extract-job.ts',
];

/** Texts for logs, and parts of texts that are tested whole. */
const notShown = [
  /could not be deleted:$/,
  /^Email about comments failed/,
  /tries again/,
  /^It is stopped: 7/,
  /^The mail server 7:7$/,
];

/** The sentences of a file; what they name is `7`, which fits names and numbers. */
function sentencesOf(file: string): string[] {
  const code = readFileSync(path.join(server, file), 'utf8')
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/^import [^;]*;/gm, '');
  const texts = code.matchAll(/(?<![\w`'])(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g);
  return Array.from(texts, ([, plain, template]) => plain ?? template ?? '')
    .map(text => text.replaceAll('\\`', '`').replaceAll(/\$\{[^}]*\}/g, '7'))
    .filter(text => /^(?:[A-Z]|7 |7: |`7`).*[a-z]/.test(text) && / /.test(text))
    .filter(text => !notShown.some(pattern => pattern.test(text)));
}

describe.each([
  ['German', german],
  ['Chinese', chinese],
] as const)('texts of jobs and deliveries in %s', (_, translated) => {
  test.each(files)('%s has no text without a translation', file => {
    const lacking = sentencesOf(file).filter(text => translateServerText(text, translated) === text);
    expect(lacking).toEqual([]);
  });

  /** Put together from several texts, so that the sources above do not have them whole. */
  test.each([
    'Webhooks are switched off under Settings › Channels.',
    'No mail server is set.',
    'The mail server `smtp://mail.example.org` of belvedere.yaml needs confirmation under Settings › System.',
    'The account of `ann@example.org` is disabled.',
    '`ann@example.org` is neither a user’s address, nor of a domain in `mail.domains` of belvedere.yaml.',
    'The mail server mail:25 refused the user or the password (535).',
    '`hooks.example` has no valid certificate (CERT_HAS_EXPIRED).',
    'It is stopped: no-access.',
    '`trash` (2 of 13)',
  ])('“%s” is translated, with the names in it', text => {
    const said = translateServerText(text, translated);
    expect(said).not.toBe(text);
    for (const name of text.match(/`[^`]*[.@/][^`]*`/g)?.slice(0, 1) ?? [])
      if (!name.includes('belvedere.yaml')) expect(said).toContain(name);
  });
});

test('counts are written as the language does', () => {
  expect(translateServerText('/backups/a.tar.gz: 12345 files', german)).toBe(
    '/backups/a.tar.gz: 12.345 Dateien',
  );
  expect(translateServerText('trash (2 of 13)', german)).toBe('Papierkorb (2 von 13)');
  expect(translateServerText('trash (2 of 13)', chinese)).toBe('回收站（2/13）');
});
