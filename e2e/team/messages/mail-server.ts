import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  /** The whole message, decoded. */
  readonly text: string;
  /** The whole message, as it came. */
  readonly raw: string;
  /** The header `Message-ID`. */
  readonly id: string;
}

/**
 * How the server treats mails: it takes, refuses, or drops them, or stays silent. Those with `data` act once it
 * has the whole mail; `take-and-drop` has accepted it then.
 */
type Behaviour =
  | 'take'
  | 'refuse'
  | 'drop'
  | 'hang'
  | 'refuse-data'
  | 'later-data'
  | 'hang-data'
  | 'take-and-drop';

/** A step of the protocol at which a test may act. */
export type MailStep = 'connect' | 'mail' | 'recipient' | 'data' | 'part' | 'end' | 'accepted';

export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  behaviour: Behaviour;
  /** Waits for a mail to an address. */
  mailTo(address: string, subject: RegExp): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Starts an SMTP server on this machine. */
export async function startMailServer(onStep: (step: MailStep) => void = () => {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_, done) => {
      onStep('connect');
      // Without the greeting, the client waits.
      if (state.behaviour !== 'hang') done();
    },
    onMailFrom: (_, _session, done) => {
      onStep('mail');
      done();
    },
    onRcptTo: (_, _session, done) => {
      onStep('recipient');
      done(state.behaviour === 'refuse' ? refusal(550) : null);
    },
    onData: (stream, session, done) => {
      onStep('data');
      // Only this mail's connection: another mail may be on its way.
      const hangUp = () => [...server.connections].find(({ id }) => id === session.id)?.close();
      if (state.behaviour === 'drop') return void hangUp();
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => {
        onStep('part');
        parts.push(part);
      });
      stream.on('end', () => {
        onStep('end');
        if (state.behaviour === 'hang-data') return;
        if (state.behaviour === 'refuse-data') return done(refusal(554));
        if (state.behaviour === 'later-data') return done(refusal(451));
        const raw = Buffer.concat(parts).toString();
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          subject: decodedWords(/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''),
          text: decodedText(raw),
          raw,
          id: /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim() ?? '',
        });
        onStep('accepted');
        if (state.behaviour === 'take-and-drop') hangUp();
        else done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as { port: number };
  const state: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    behaviour: 'take',
    mailTo: async (address, subject) => {
      for (let tries = 0; tries < 400; tries++) {
        const found = received.findLast(mail => mail.to.includes(address) && subject.test(mail.subject));
        if (found) return found;
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      const came = received.map(mail => `${mail.to.join()}: ${mail.subject}`).join('; ');
      throw new Error(`No mail to ${address} with ${subject}. There are: ${came}`);
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
  return state;
}

const refusal = (responseCode: number) => Object.assign(new Error('No'), { responseCode });

function decodedWords(text: string): string {
  return text
    .replaceAll(/\r\n[ \t]/g, ' ')
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=\s?/gi, (_, base64: string) =>
      Buffer.from(base64, 'base64').toString(),
    )
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=\s?/gi, (_, quoted: string) => unquoted(quoted.replaceAll('_', ' ')))
    .trim();
}

/** Decodes the bodies of all parts. */
function decodedText(raw: string): string {
  return raw
    .split(/^----[^\r\n]+\r\n/m)
    .map(part => {
      const at = part.indexOf('\r\n\r\n');
      const [head, body] = at < 0 ? ['', part] : [part.slice(0, at), part.slice(at)];
      if (/Content-Transfer-Encoding: base64/i.test(head))
        return head + Buffer.from(body, 'base64').toString();
      return /Content-Transfer-Encoding: quoted-printable/i.test(head) ? head + unquoted(body) : part;
    })
    .join('\n');
}

function unquoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Returns the token of the link in a mail. */
export function linkIn({ text }: ReceivedMail, kind: 'invite' | 'reset' | 'email'): string {
  const [, token] = new RegExp(`/${kind}/([\\w-]{20,})`).exec(text) ?? [];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return token;
}
