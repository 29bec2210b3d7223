import { preferredLanguage, type InterfaceLanguage } from '@belvedere/api';
import type { AuditLog } from '../state/administration/audit-log.ts';
import { compose, mailTexts } from './compose.ts';
import type { DigestMail, MailText, MailTexts } from './mail-text.ts';
import { MailError, oneLine, type Mailer } from './mailer.ts';

/** The recipient of a link: mailed to an address, or to be passed on by hand. */
export type Delivery =
  | { readonly mailedTo: string }
  | {
      /** A path of this server. */
      readonly link: string;
      /** Why no mail was sent, if one should have been. */
      readonly mailProblem?: string;
    };

interface Options {
  readonly mailer: Mailer;
  /** The address under which users reach the server. */
  readonly address: () => string;
  readonly workspace: () => { readonly title: string; readonly locale?: string | undefined };
  readonly audit: AuditLog;
}

/** Sends mails about accounts, or says that a link is to be passed on by hand. */
export class AccountMail {
  readonly #options: Options;
  readonly #sending = new Set<Promise<void>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether a mail server is set, and confirmed if `belvedere.yaml` names it. */
  get isOn(): boolean {
    return this.#options.mailer.offReason === undefined;
  }

  /** Returns the language of a mail to the user who sent a request. @param accepted the header's value */
  languageOf(accepted: string | undefined): InterfaceLanguage {
    return preferredLanguage([...(accepted ?? '').split(',').map(tag => tag.trim()), this.#locale]);
  }

  /** Returns the language of a mail to another user: the workspace's, or that of the user who causes it. */
  languageForOthers(accepted: string | undefined): InterfaceLanguage {
    return this.#locale === undefined ? this.languageOf(accepted) : preferredLanguage([this.#locale]);
  }

  async invite(to: string, token: string, by: string, language: InterfaceLanguage): Promise<Delivery> {
    const link = `/invite/${token}`;
    return this.#deliver(to, link, language, texts =>
      texts.invitation({ workspace: this.#title, by: oneLine(by), address: this.#absolute(link) }),
    );
  }

  async passOnReset(to: string, token: string, language: InterfaceLanguage): Promise<Delivery> {
    const link = `/reset/${token}`;
    return this.#deliver(to, link, language, texts => this.#reset(texts, link, 'day'));
  }

  /** Sends what a user asked for on the sign-in page, after the request has been answered. */
  sendReset(to: string, token: string, language: InterfaceLanguage): void {
    this.#later(to, language, texts => this.#reset(texts, `/reset/${token}`, 'hour'));
  }

  sendEmailConfirmation(to: string, token: string, language: InterfaceLanguage): void {
    const address = this.#absolute(`/email/${token}`);
    this.#later(to, language, texts => texts.confirmEmail({ workspace: this.#title, address }));
  }

  noteEmailChanging(to: string, next: string, language: InterfaceLanguage): void {
    this.#later(to, language, texts => texts.emailChanging({ workspace: this.#title, next }));
  }

  notePasswordChanged(to: string, language: InterfaceLanguage): void {
    this.#later(to, language, texts => texts.passwordChanged({ workspace: this.#title }));
  }

  /** @param method such as the name of a provider */
  noteMethodAdded(to: string, method: string, language: InterfaceLanguage): void {
    this.#later(to, language, texts =>
      texts.methodAdded({ workspace: this.#title, method: oneLine(method) }),
    );
  }

  /** Tells of unread mentions and replies. @param count of them, of which some are named */
  sendDigest(to: string, named: DigestMail['named'], count: number): void {
    const about = named.map(({ by, dashboard, ...one }) => ({
      ...one,
      by: by === undefined ? undefined : oneLine(by),
      dashboard: oneLine(dashboard),
    }));
    this.#later(to, this.languageForOthers(undefined), texts =>
      texts.digest({ workspace: this.#title, address: this.#absolute('/inbox'), named: about, count }),
    );
  }

  /** Resolves when all mails so far are sent, or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending);
  }

  #reset(texts: MailTexts, link: string, life: 'hour' | 'day'): MailText {
    return texts.reset({ workspace: this.#title, address: this.#absolute(link), life });
  }

  get #title(): string {
    return oneLine(this.#options.workspace().title);
  }

  get #locale(): string | undefined {
    return this.#options.workspace().locale;
  }

  #absolute(link: string): string {
    return new URL(link, this.#options.address()).href;
  }

  async #deliver(
    to: string,
    link: string,
    language: InterfaceLanguage,
    text: (texts: MailTexts) => MailText,
  ): Promise<Delivery> {
    if (!this.isOn) return { link };
    try {
      await this.#send(to, language, text);
      return { mailedTo: to };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return { link, mailProblem: error.message };
    }
  }

  #later(to: string, language: InterfaceLanguage, text: (texts: MailTexts) => MailText): void {
    if (!this.isOn) return;
    const sending = this.#send(to, language, text)
      .catch((error: Error) =>
        console.error(new Date().toISOString(), 'Could not send a mail:', error.message),
      )
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** @throws MailError */
  async #send(to: string, language: InterfaceLanguage, text: (texts: MailTexts) => MailText): Promise<void> {
    const about = { workspace: this.#title, address: this.#options.address() };
    try {
      await this.#options.mailer.send(compose(to, language, text(mailTexts[language]), about));
    } catch (error) {
      if (error instanceof MailError)
        await this.#options.audit.add({
          action: 'mail.send',
          object: to,
          outcome: 'failed',
          detail: error.message,
        });
      throw error;
    }
  }
}
