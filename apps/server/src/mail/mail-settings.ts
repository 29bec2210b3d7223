import { senderOf, type MailFile } from '@belvedere/document';
import { ProblemError } from '../http/problem-error.ts';

/** A mail server and the sender of all mails. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** `always`: TLS from the first byte. `starttls`: required before anything is sent. `never`: this machine. */
  readonly tls: 'always' | 'starttls' | 'never';
  readonly user?: string;
  readonly password?: string;
  readonly from: { readonly name: string; readonly address: string };
  /**
   * Of a server that was typed in the interface: `host:port` of servers that may be private. Any address may be
   * used if undefined, since the operator has set it.
   */
  readonly allowed?: ReadonlySet<string>;
}

/** What the command line or the environment gives. */
export interface MailOptions {
  readonly smtpUrl?: string | undefined;
  readonly mailFrom?: string | undefined;
}

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Returns how to send mail; undefined if no mail server is set.
 *
 * @param file the `mail` section of `belvedere.yaml`, over which the options take precedence
 * @throws ProblemError that does not quote the address, which may contain a password
 */
export function mailSettings(
  { smtpUrl, mailFrom }: MailOptions,
  file: MailFile = {},
): MailSettings | undefined {
  // An empty variable is as if it were not set.
  const address = smtpUrl || file.server;
  if (!address) return undefined;
  const url = URL.parse(address);
  const tls = url?.searchParams.get('tls');
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || (tls && tls !== 'off'))
    throw new ProblemError(
      'request-invalid',
      'Invalid `--smtp-url` or BELVEDERE_SMTP_URL. Use an address such as `smtp://USER:PASSWORD@HOST:587`.',
    );
  const sender = mailFrom || file.from;
  const from = sender === undefined ? undefined : senderOf(sender);
  if (from === undefined)
    throw new ProblemError(
      'request-invalid',
      'A mail server is set, but no valid sender. Set BELVEDERE_MAIL_FROM, or `mail: { from: … }` in belvedere.yaml, ' +
        'to an address such as `belvedere@example.org`.',
    );
  const isDirect = url.protocol === 'smtps:';
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? (isDirect ? 465 : 587) : Number(url.port),
    tls: isDirect ? 'always' : tls === 'off' || loopback.includes(url.hostname) ? 'never' : 'starttls',
    ...(url.username !== '' && {
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }),
    from,
  };
}
