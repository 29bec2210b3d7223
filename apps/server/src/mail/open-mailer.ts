import type { MailFile } from '@belvedere/document';
import { mailSettings, type MailOptions } from './mail-settings.ts';
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

/**
 * Returns undefined if no mail server is set.
 *
 * @param file the `mail` section of `belvedere.yaml`, over which the options take precedence
 * @param isUsable whether its server may be used now
 * @throws ProblemError as `mailSettings`
 */
export function openMailers(
  options: MailOptions = {},
  file: MailFile | undefined,
  isUsable: () => boolean,
): Mailers | undefined {
  const settings = mailSettings(options, file);
  const offReason = () =>
    isUsable()
      ? undefined
      : `The mail server \`${file?.server}\` of belvedere.yaml needs confirmation under Settings › System.`;
  return (
    settings && {
      forAccounts: new Mailer(settings, { offReason }),
      forMessages: new Mailer(settings, { ...patient, offReason }),
    }
  );
}
