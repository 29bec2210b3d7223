import type { ChangedMailServer, MailServerStatus } from '@belvedere/api';
import { senderOf, type MailFile } from '@belvedere/document';
import type { SealedSettings } from '../auth/secrets/sealed-settings.ts';
import { isAllowedHost, RequestError, requirePublic } from '../deliver/safe-addresses.ts';
import { ProblemError } from '../http/problem-error.ts';
import { mailSettings, type MailOptions, type MailSettings } from './mail-settings.ts';

/** The name of the setting in the state database. */
const name = 'mail-server';

type Typed = ChangedMailServer;

export interface MailServerParts {
  /** Of the command line or the environment. */
  readonly options?: MailOptions | undefined;
  /** The `mail` section of `belvedere.yaml` at the start. */
  readonly file: MailFile | undefined;
  /** Whether the file's server may be used now. */
  readonly isConfirmed: () => boolean;
  readonly sealed: SealedSettings;
  /** `host:port` of typed servers that may be private and need no TLS. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * The mail server of this instance: that of the command line or the environment, else of `belvedere.yaml`, else
 * the one that an owner has entered.
 */
export class MailServer {
  readonly #parts: MailServerParts;
  readonly #declared: MailSettings | undefined;
  #typed: Typed | undefined;
  #isUnreadable = false;

  private constructor(parts: MailServerParts) {
    this.#parts = parts;
    this.#declared = mailSettings(parts.options ?? {}, parts.file);
  }

  /** @throws ProblemError as `mailSettings` */
  static async open(parts: MailServerParts): Promise<MailServer> {
    const server = new MailServer(parts);
    await server.followOthers();
    return server;
  }

  /** How mail is sent; undefined if no mail server is set. */
  get settings(): MailSettings | undefined {
    return this.#declared ?? (this.#typed && this.#asSettings(this.#typed));
  }

  /** Why no mail is sent; undefined if it is. */
  get offReason(): string | undefined {
    const { file, isConfirmed } = this.#parts;
    if (this.#setBy === 'file' && !isConfirmed())
      return `The mail server \`${file?.server}\` of belvedere.yaml needs confirmation under Settings › System.`;
    return this.settings ? undefined : 'No mail server is set.';
  }

  /** The server as admins see it, without its password. */
  status(): MailServerStatus {
    const { settings, offReason } = this;
    return {
      ...(settings && {
        server: {
          host: settings.host,
          port: settings.port,
          security: securityOf[settings.tls],
          ...(settings.user !== undefined && { user: settings.user }),
          hasPassword: Boolean(settings.password),
          from: senderText(settings.from),
        },
      }),
      setBy: this.#setBy,
      isUnreadable: this.#isUnreadable && this.#declared === undefined,
      ...(settings && offReason !== undefined && { offReason }),
    };
  }

  /** Sets the server. Without a password, the known one stays for the same server and user. @throws ProblemError */
  async change(changed: ChangedMailServer): Promise<void> {
    this.#requireChangeable();
    const typed = this.#checked(changed);
    await this.#parts.sealed.put(name, typed);
    [this.#typed, this.#isUnreadable] = [typed, false];
  }

  async remove(): Promise<void> {
    this.#requireChangeable();
    await this.#parts.sealed.remove(name);
    [this.#typed, this.#isUnreadable] = [undefined, false];
  }

  /** How mail would be sent by a changed server, which is not kept. @throws ProblemError */
  draft(changed: ChangedMailServer): MailSettings {
    this.#requireChangeable();
    return this.#asSettings(this.#checked(changed));
  }

  /** Reads the setting again, after another server may have changed it. */
  async followOthers(): Promise<void> {
    const all = await this.#parts.sealed.all();
    this.#typed = all.get(name) as Typed | undefined;
    this.#isUnreadable = all.has(name) && this.#typed === undefined;
  }

  get #setBy(): MailServerStatus['setBy'] {
    if (this.#declared === undefined) return 'owner';
    return this.#parts.options?.smtpUrl ? 'options' : 'file';
  }

  #requireChangeable(): void {
    if (this.#setBy !== 'owner')
      throw new ProblemError(
        'not-allowed',
        this.#setBy === 'file'
          ? 'The mail server is set in belvedere.yaml. Change it there, or remove it there first.'
          : 'The mail server is set by the option `--smtp-url` or by BELVEDERE_SMTP_URL.',
      );
  }

  #checked(changed: ChangedMailServer): Typed {
    const { host, port, security, user, password } = changed;
    const target = { host, port, allowed: this.#parts.allowed };
    try {
      requirePublic(target);
    } catch (error) {
      if (error instanceof RequestError) throw invalid('host', error.message);
      throw error;
    }
    if (security === 'none' && !isAllowedHost(target))
      throw invalid(
        'security',
        `\`${host}\` must be reached with TLS, or \`${host}:${port}\` be listed in \`webhooks.allow\` of belvedere.yaml.`,
      );
    if (password !== undefined || user === undefined) return changed;
    const known = this.#typed;
    // A password is only sent to the server for which it was entered.
    const isSame =
      known?.host === host && known.port === port && known.security === security && known.user === user;
    if (!isSame || known.password === undefined)
      throw invalid('password', 'Enter the password: the server or the user is another one.');
    return { ...changed, password: known.password };
  }

  #asSettings({ host, port, security, user, password, from }: Typed): MailSettings {
    return {
      host,
      port,
      tls: tlsOf[security],
      ...(user !== undefined && { user, password: password ?? '' }),
      from: senderOf(from)!,
      allowed: this.#parts.allowed,
    };
  }
}

const tlsOf = { tls: 'always', starttls: 'starttls', none: 'never' } as const;
const securityOf = { always: 'tls', starttls: 'starttls', never: 'none' } as const;

function senderText({ name: sender, address }: MailSettings['from']): string {
  return sender === '' ? address : `${sender} <${address}>`;
}

function invalid(path: string, detail: string): ProblemError {
  return new ProblemError('request-invalid', detail, { errors: [{ path, message: detail }] });
}
