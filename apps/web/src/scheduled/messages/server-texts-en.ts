import type { TranslatedText } from './translate-server-text.ts';

/** The codes among the server’s texts, which are sentences otherwise. */
export const serverTexts: readonly TranslatedText[] = [
  [/^sent$/, () => 'Sent'],
  [/^dropped$/, () => 'Dropped'],
  [/^uncertain$/, () => 'Uncertain'],
  [/^given-up$/, () => 'Given up'],
  [/^invalid$/, () => 'Its text or its dashboard has errors'],
  [/^owner-unknown$/, () => 'Its owner has no account here'],
  [/^owner-disabled$/, () => 'Its owner’s account is disabled'],
  [/^owner-forbidden$/, () => 'Its owner can no longer see the dashboard'],
  [/^It is stopped: no-owner\.$/, () => 'Stopped: it has no owner'],
  [/^It is stopped: unknown-owner\.$/, () => 'Stopped: its owner has no account'],
  [/^It is stopped: disabled-owner\.$/, () => 'Stopped: its owner’s account is disabled'],
  [/^It is stopped: no-access\.$/, () => 'Stopped: its owner can no longer see what it watches'],
  [/^empty$/, () => 'No data'],
  [/^condition$/, () => 'Its condition did not hold'],
  [/^not-fresh$/, () => 'The data was not fresh'],
  [/^no-recipients$/, () => 'No recipients'],
  [/^It cannot run\.$/, () => 'Its text has errors'],
  [/^It is sent with (.*)\.$/, () => 'Sent with another delivery'],
  [/^Sent (\d+) mails$/, count => `Sent ${number(count)} emails`],
  [/^Sent one mail$/, () => 'Sent one email'],
  [/^(.*): (\d+) files$/, (file, count) => `${file}: ${number(count)} files`],
];
const number = (digits: string) => Number(digits).toLocaleString('en');
