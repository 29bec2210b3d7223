import type { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { MailSettings } from './mail-settings.ts';

/** Times in ms after which a mail server counts as not answering. */
const connectMs = 10_000;
const silentMs = 10_000;
const wholeMs = 30_000;
const sentAtOnce = 3;
/** Mails that wait for their turn. */
const mostWaiting = 500;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail that could not be sent, with a reason that an admin understands. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

/** Sends mails, a few at a time, with limits on how long a mail server may take. */
export class Mailer {
  readonly #settings: MailSettings;
  #transport: ReturnType<typeof createTransport> | undefined;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(settings: MailSettings) {
    this.#settings = settings;
  }

  /** @throws MailError */
  async send(mail: Mail): Promise<void> {
    // Its own check: an address with a comma or a line break would be several recipients or headers.
    if (!z.email().max(254).safeParse(mail.to).success)
      throw new MailError('The address of the recipient is not valid.');
    await this.#turn();
    try {
      await this.#deliver(mail);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= sentAtOnce) {
      if (this.#waiting.length >= mostWaiting) throw new MailError('Too many mails are waiting.');
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
    this.#running++;
  }

  async #deliver({ to, subject, text, html }: Mail): Promise<void> {
    const { from } = this.#settings;
    const transport = (this.#transport ??= await this.#open());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), wholeMs);
    });
    try {
      await Promise.race([
        transport.sendMail({
          from: { name: from.name, address: from.address },
          to: { name: '', address: to },
          subject: oneLine(subject),
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
        late,
      ]);
    } catch (error) {
      throw new MailError(this.#reason(error), { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Only servers that send mail load the library. */
  async #open() {
    const { createTransport: create } = await import('nodemailer');
    const { host, port, tls, user, password } = this.#settings;
    return create({
      host,
      port,
      secure: tls === 'always',
      requireTLS: tls === 'starttls',
      ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
      connectionTimeout: connectMs,
      dnsTimeout: connectMs,
      greetingTimeout: silentMs,
      socketTimeout: silentMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  #reason(error: unknown): string {
    const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number };
    const { host, port } = this.#settings;
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
}

/** Returns a text that can neither begin another header nor another paragraph. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200);
}
