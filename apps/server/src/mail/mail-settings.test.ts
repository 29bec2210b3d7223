import { describe, expect, test } from 'vitest';
import { mailSettings } from './mail-settings.ts';

const mailFrom = 'Belvedere <belvedere@example.org>';
const read = (smtpUrl: string) => mailSettings({ smtpUrl, mailFrom });

describe('the mail server', () => {
  test('is none without an address', () => {
    expect(mailSettings({})).toBeUndefined();
    expect(mailSettings({ smtpUrl: '', mailFrom })).toBeUndefined();
  });

  test.each([
    ['smtp://mail.example.org', { port: 587, tls: 'starttls' }],
    ['smtps://mail.example.org', { port: 465, tls: 'always' }],
    ['smtp://mail.example.org:25?tls=off', { port: 25, tls: 'never' }],
    ['smtp://127.0.0.1:1025', { port: 1025, tls: 'never' }],
    ['smtp://ana%40example.org:p%3Aw@mail.example.org', { user: 'ana@example.org', password: 'p:w' }],
  ])('%s', (address, expected) => {
    expect(read(address)).toMatchObject(expected);
  });

  test.each(['mail.example.org', 'http://mail.example.org', 'smtp://u:secret@', 'smtp://u:secret@h?tls=no'])(
    '%s is refused without quoting it',
    address => {
      expect(() => read(address)).toThrow(/Invalid `--smtp-url`/);
      expect(() => read(address)).not.toThrow(/secret/);
    },
  );

  test('needs a sender', () => {
    for (const from of [undefined, 'Belvedere', 'a@b.org\r\nBcc: c@d.org', 'A <a@b.org>, c@d.org'])
      expect(() => mailSettings({ smtpUrl: 'smtp://h', mailFrom: from })).toThrow(/no valid sender/);
    expect(read('smtp://h')?.from).toEqual({ name: 'Belvedere', address: 'belvedere@example.org' });
  });

  test('may be in the file, over which the environment takes precedence', () => {
    const file = { server: 'smtp://file.example.org', from: 'file@example.org' };
    expect(mailSettings({}, file)).toMatchObject({ host: 'file.example.org' });
    expect(mailSettings({ smtpUrl: 'smtp://env.example.org' }, file)).toMatchObject({
      host: 'env.example.org',
      from: { address: 'file@example.org' },
    });
  });
});
