import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { MessageFile } from '../deliver/message.ts';
import { RequestError, safeAddresses } from '../deliver/safe-addresses.ts';
import type { MailSettings } from './mail-settings.ts';

/** Times in ms after which a mail server counts as not answering. */
const connectMs = 10_000;
const silentMs = 10_000;
const wholeMs = 30_000;
const sentAtOnce = 3;
/** Mails that wait for their turn. */
const maxWaiting = 500;
/** The part of a mail that is held back until its hand-over is recorded. */
const tailBytes = 16;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Pictures in the HTML, which names them as `cid:CID`. */
  readonly images?: readonly { readonly cid: string; readonly name: string; readonly png: Uint8Array }[];
  readonly files?: readonly MessageFile[];
  /** The address of a page on which the recipient can unsubscribe. */
  readonly unsubscribe?: string;
}

/** How a mail is sent that may be sent again after a crash. */
export interface MailDelivery {
  /** The same for every attempt, so that mail programs recognise a mail that came twice. */
  readonly id: string;
  readonly date: Date;
  /**
   * Called when all but the last bytes are sent, without which no server accepts a mail. Those follow once it
   * resolves: from then on, the mail may have been accepted.
   */
  readonly handOver: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** A mail that could not be sent, with a reason that an admin understands. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the server refused the mail or its recipient for good. */
  readonly isPermanent: boolean;
  /** Whether the mail was handed over, and no answer says whether it was accepted. */
  readonly isUncertain: boolean;

  constructor(
    message: string,
    {
      isPermanent = false,
      isUncertain = false,
      ...options
    }: ErrorOptions & { readonly isPermanent?: boolean; readonly isUncertain?: boolean } = {},
  ) {
    super(message, options);
    this.isPermanent = isPermanent;
    this.isUncertain = isUncertain;
  }
}

/** Limits on the time of one mail, in ms. */
export interface MailerOptions {
  readonly silentMs?: number;
  readonly wholeMs?: number;
}

/** The mail server as it is set now. */
interface Server {
  /** Undefined if none is set. */
  readonly settings: MailSettings | undefined;
  /** Why nothing may be sent now; undefined if it may. */
  readonly offReason?: string | undefined;
}

/** Sends mails, a few at a time, with limits on how long a mail server may take. */
export class Mailer {
  readonly #server: Server;
  readonly #times: { readonly silentMs: number; readonly wholeMs: number };
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(server: Server, times: MailerOptions = {}) {
    this.#server = server;
    this.#times = { silentMs, wholeMs, ...times };
  }

  /** Whether a mail server is set. */
  get isSet(): boolean {
    return this.#server.settings !== undefined;
  }

  /** Why nothing is sent now; undefined if mail is sent. */
  get offReason(): string | undefined {
    return this.#server.offReason;
  }

  /** @returns the server's answer. @throws MailError */
  async send(mail: Mail, delivery?: MailDelivery): Promise<string> {
    // Its own check: an address with a comma or a line break would be several recipients or headers.
    if (!isMailAddress(mail.to))
      throw new MailError('The address of the recipient is not valid.', { isPermanent: true });
    await this.#turn();
    try {
      const { settings, offReason } = this.#server;
      if (settings === undefined || offReason !== undefined)
        throw new MailError(offReason ?? 'No mail server is set.');
      return await this.#deliver(settings, mail, delivery);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= sentAtOnce) {
      if (this.#waiting.length >= maxWaiting) throw new MailError('Too many mails are waiting.');
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
    this.#running++;
  }

  async #deliver(settings: MailSettings, mail: Mail, delivery: MailDelivery | undefined): Promise<string> {
    // Only servers that send mail load the library.
    const [{ default: MailComposer }, { default: SmtpConnection }] = await Promise.all([
      import('nodemailer/lib/mail-composer'),
      import('nodemailer/lib/smtp-connection'),
    ]);
    const { from, host, port, tls, user, password } = settings;
    const address = await addressOf(settings);
    const bytes = await new MailComposer({
      from: { name: from.name, address: from.address },
      to: { name: '', address: mail.to },
      subject: oneLine(mail.subject),
      text: mail.text,
      html: mail.html,
      attachments: [
        ...(mail.images ?? []).map(({ cid, name, png }) => ({
          cid,
          filename: name,
          content: Buffer.from(png),
          contentType: 'image/png',
          contentDisposition: 'inline' as const,
        })),
        ...(mail.files ?? []).map(({ name, type, bytes: content }) => ({
          filename: oneLine(name),
          content: Buffer.from(content),
          contentType: type,
        })),
      ],
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(mail.unsubscribe !== undefined && { 'List-Unsubscribe': `<${mail.unsubscribe}>` }),
      },
      ...(delivery && {
        messageId: `<${delivery.id}@${from.address.split('@').at(-1)!}>`,
        date: delivery.date,
        // The same bytes in every attempt.
        baseBoundary: delivery.id,
      }),
      newline: 'win',
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build();
    let isHandedOver = false;
    let isClosed = false;
    const parts = async function* () {
      yield bytes.subarray(0, -tailBytes);
      await delivery?.handOver();
      if (isClosed) throw new Error('closed');
      isHandedOver = true;
      yield bytes.subarray(-tailBytes);
    };
    const connection = new SmtpConnection({
      host: address,
      ...(isIP(host) === 0 && { servername: host }),
      port,
      secure: tls === 'always',
      requireTLS: tls === 'starttls',
      connectionTimeout: connectMs,
      dnsTimeout: connectMs,
      greetingTimeout: silentMs,
      socketTimeout: this.#times.silentMs,
    });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const isLate = () => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(isLate, this.#times.wholeMs);
    delivery?.signal?.addEventListener('abort', isLate, { once: true });
    connection.once('error', reject);
    // It may end without an error.
    connection.once('end', () => reject(new Error('ended')));
    const send = () =>
      connection.send(
        { from: from.address, to: [mail.to] },
        Readable.from(parts(), { objectMode: false }),
        (error, info) => (error ? reject(error) : resolve(info?.response ?? '')),
      );
    connection.connect(error => {
      if (error) reject(error);
      else if (user === undefined) send();
      else
        connection.login({ credentials: { user, pass: password ?? '' } }, failed =>
          failed ? reject(failed) : send(),
        );
    });
    try {
      const answer = await promise;
      connection.quit();
      return answer;
    } catch (error) {
      const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
      isClosed = true;
      connection.close();
      throw new MailError(reasonOf(error, settings), {
        cause: error,
        isPermanent: (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode ?? 0) >= 500,
        isUncertain: isHandedOver && !responseCode,
      });
    } finally {
      clearTimeout(timer);
      delivery?.signal?.removeEventListener('abort', isLate);
    }
  }
}

/** Returns where to connect: for a typed server, an address that was checked. @throws MailError */
async function addressOf({ host, port, allowed }: MailSettings): Promise<string> {
  if (allowed === undefined) return host;
  try {
    const [{ address }] = await safeAddresses({ host, port, allowed }, AbortSignal.timeout(connectMs));
    return address;
  } catch (error) {
    if (error instanceof RequestError) throw new MailError(error.message, { cause: error });
    throw error;
  }
}

function reasonOf(error: unknown, { host, port }: MailSettings): string {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  const server = `The mail server ${host}:${port}`;
  const answer = responseCode === undefined ? '' : ` (${responseCode})`;
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return `${server} refused the user or the password${answer}.`;
    case 'EENVELOPE':
      return `${server} refused the sender or the recipient${answer}.`;
    case 'EMESSAGE':
      return `${server} refused the mail${answer}.`;
    case 'ETLS':
      return `${server} did not agree on an encrypted connection.`;
    case 'ETIMEDOUT':
      return `${server} did not answer in time.`;
    case 'EDNS':
      return `The mail server ${host} was not found.`;
    default:
      return `${server} could not be reached, or ended the connection${answer}.`;
  }
}

/** Whether a text is one address, and nothing else. */
function isMailAddress(text: string): boolean {
  return z.email().max(254).safeParse(text).success;
}

/** Returns a text that can neither begin another header nor another paragraph. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200);
}
