import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  /** The whole message, decoded. */
  readonly text: string;
}

/** How the server treats mails: it takes, refuses, or drops them, or stays silent. */
type Behaviour = 'take' | 'refuse' | 'drop' | 'hang';

export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  behaviour: Behaviour;
  /** Waits for a mail to an address. */
  mailTo(address: string, subject: RegExp): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Starts an SMTP server on this machine. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_, done) => {
      // Without the greeting, the client waits.
      if (state.behaviour !== 'hang') done();
    },
    onRcptTo: (_, _session, done) =>
      done(state.behaviour === 'refuse' ? Object.assign(new Error('No'), { responseCode: 550 }) : null),
    onData: (stream, session, done) => {
      if (state.behaviour === 'drop') {
        for (const connection of server.connections) connection.close();
        return;
      }
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString();
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          subject: decodedWords(/^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? ''),
          text: decodedText(raw),
        });
        done();
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
