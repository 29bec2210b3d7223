import { expect, test } from 'vitest';
import type { Mail } from '../mail/mailer.ts';
import type { Message } from './message.ts';
import { Sender } from './sender.ts';

const message: Message = {
  kind: 'report',
  about: 'report:weekly',
  title: 'Weekly sales',
  lines: [],
  facts: [],
  links: [],
  images: [],
  files: [],
  unsubscribe: '/reports/weekly/unsubscribe',
};

test.each([
  [undefined, undefined, 'Unsubscribe'],
  ['de-AT', undefined, 'Abbestellen'],
  ['de-AT', 'zh', '退订'],
  [undefined, 'de', 'Abbestellen'],
])('in a workspace in %s, a mail of a message in %s says “%s”', async (workspace, locale, said) => {
  let sent: Mail | undefined;
  const sender = new Sender({
    mailer: {
      isSet: true,
      send: (mail: Mail) => {
        sent = mail;
        return Promise.resolve('250');
      },
    },
    allowed: new Set(),
    clock: { wall: () => 0 },
    address: () => 'https://belvedere.example.org',
    workspace: () => ({ title: 'Shop', locale: workspace }),
  });
  const one = { ...message, ...(locale !== undefined && { locale }) };
  const sending = { id: '1', at: '2024-05-01T00:00:00Z', messages: [one] as const };
  await sender.mail(
    'ana@example.org',
    sending,
    { kind: 'user', unsubscribe: message.unsubscribe },
    async () => {},
  );
  expect(sent?.text).toContain(`${said}: https://belvedere.example.org/reports/weekly/unsubscribe`);
});

test.each([
  ['de', 'de', 'en', '2 Alarme'],
  ['de', 'zh', 'en', '2 alerts'],
  [undefined, 'de', 'de', '2 Alarme'],
])(
  'alerts in %s and %s, sent together from a workspace in %s, are “%s”',
  async (one, other, workspace, said) => {
    let sent: Mail | undefined;
    const sender = new Sender({
      mailer: {
        isSet: true,
        send: (mail: Mail) => {
          sent = mail;
          return Promise.resolve('250');
        },
      },
      allowed: new Set(),
      clock: { wall: () => 0 },
      address: () => 'https://belvedere.example.org',
      workspace: () => ({ title: 'Shop', locale: workspace }),
    });
    const alertIn = (locale: string | undefined): Message => ({
      ...message,
      kind: 'alert',
      ...(locale !== undefined && { locale }),
    });
    const sending = {
      id: '1',
      at: '2024-05-01T00:00:00Z',
      messages: [alertIn(one), alertIn(other)] as const,
    };
    await sender.mail('ops@example.org', sending, { kind: 'channel', channel: 'Ops' }, async () => {});
    expect(sent?.subject).toContain(said);
  },
);
