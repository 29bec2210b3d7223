import type { MailServer } from './mail-server.ts';
import { Mailer } from './mailer.ts';

/** A mail server may check a mail with large attachments for a while before it answers. */
const patient = { silentMs: 60_000, wholeMs: 150_000 };

/** How a server sends mail. */
export interface Mailers {
  /** For mails that a user waits for. */
  readonly forAccounts: Mailer;
  /** For alerts and reports. */
  readonly forMessages: Mailer;
}

/** Returns mailers that follow the mail server as it is set at any moment. */
export function openMailers(server: MailServer): Mailers {
  return { forAccounts: new Mailer(server), forMessages: new Mailer(server, patient) };
}
