import { Option, type Command } from 'commander';

/** The options of commands that send mail. */
export interface MailOption {
  readonly smtpUrl?: string;
  readonly mailFrom?: string;
}

/** Adds the options for the mail server and the sender. */
export function withMail(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--smtp-url <address>',
        'send mail with this server: `smtp://USER:PASSWORD@HOST:587`; on the command line, other users of the machine see it',
      ).env('BELVEDERE_SMTP_URL'),
    )
    .addOption(
      new Option('--mail-from <sender>', 'the sender of mails: `Belvedere <belvedere@example.org>`').env(
        'BELVEDERE_MAIL_FROM',
      ),
    );
}
