import { preferredLanguage } from '@belvedere/api';
import { readDocument } from '@belvedere/document';
import { ProblemError } from '../http/problems.ts';
import { unconfirmedSettings } from '../commands/unconfirmed-settings.ts';
import { unconfirmedSetting } from '../workspace/external-settings.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { readSettings } from '../workspace/documents/read-documents.ts';
import { testMail } from './compose.ts';
import { mailSettings, type MailOptions } from './mail-settings.ts';
import { MailError, Mailer } from './mailer.ts';

/**
 * Sends a test mail with the settings of a workspace.
 *
 * @returns the mail server
 * @throws ProblemError if no server is set, or with the reason why the mail was not sent
 */
export async function sendTestMail(
  to: string,
  { location, options }: { readonly location: ResolvedWorkspace; readonly options: MailOptions },
): Promise<string> {
  const { root, title } = location;
  const { settings } = await readSettings(root, (text, file) => readDocument('workspace', text, file));
  const server = mailSettings(options, settings.mail);
  if (!server)
    throw new ProblemError(
      'request-invalid',
      'No mail server is set. Set BELVEDERE_SMTP_URL and BELVEDERE_MAIL_FROM, or `mail` in belvedere.yaml.',
    );
  if (!options.smtpUrl) {
    const waiting = await unconfirmedSettings(location);
    const unconfirmed = waiting.find(({ setting }) => setting.kind === 'mail-server');
    if (unconfirmed) throw new ProblemError('request-invalid', unconfirmedSetting(unconfirmed.setting));
  }
  const about = { workspace: settings.title ?? title, address: 'belvedere mail test' };
  try {
    await new Mailer({ settings: server }).send(testMail(to, preferredLanguage([settings.locale]), about));
  } catch (error) {
    if (error instanceof MailError)
      throw new ProblemError('request-invalid', error.message, { cause: error });
    throw error;
  }
  return `${server.host}:${server.port}`;
}
