/** One mail in one language. Its only secret is the link. */
export interface MailText {
  readonly subject: string;
  /** Paragraphs before the link. */
  readonly before: readonly string[];
  readonly link?: { readonly label: string; readonly address: string };
  /** Paragraphs after the link. */
  readonly after?: readonly string[];
}

/** A mail about unread mentions and replies. */
export interface DigestMail {
  readonly workspace: string;
  readonly address: string;
  readonly named: readonly {
    readonly reason: 'mention' | 'reply' | 'follow';
    /** Undefined if the account no longer exists. */
    readonly by: string | undefined;
    /** The title of the dashboard. */
    readonly dashboard: string;
    /** How many comments this line is about. */
    readonly times: number;
  }[];
  /** Of all unread ones. */
  readonly count: number;
}

/** Texts around the messages of alerts and reports, in mails and webhooks. */
export interface MessageTexts {
  /** The title of several messages in one. */
  readonly several: (count: number, titles: readonly string[]) => string;
  readonly files: string;
  /** Why a mail came to an address of a channel. */
  readonly channel: (channel: string) => string;
  readonly unsubscribe: string;
  readonly test: {
    readonly title: (workspace: string) => string;
    readonly line: (channel: string) => string;
  };
}

/** All mails. `workspace` is the title of the workspace. */
export interface MailTexts {
  readonly greeting: string;
  /** The label before an address, in plain text. */
  readonly labelled: (label: string) => string;
  /** Under each mail: why it came. */
  readonly footer: (workspace: string, address: string) => string;
  readonly invitation: (about: { workspace: string; by: string; address: string }) => MailText;
  readonly reset: (about: { workspace: string; address: string; life: 'hour' | 'day' }) => MailText;
  readonly confirmEmail: (about: { workspace: string; address: string }) => MailText;
  readonly emailChanging: (about: { workspace: string; next: string }) => MailText;
  readonly passwordChanged: (about: { workspace: string }) => MailText;
  readonly methodAdded: (about: { workspace: string; method: string }) => MailText;
  readonly digest: (about: DigestMail) => MailText;
  readonly test: (about: { workspace: string }) => MailText;
  readonly message: MessageTexts;
}

/** Returns how many comments the lines of a digest are about. */
export const namedCount = (named: DigestMail['named']): number =>
  named.reduce((sum, { times }) => sum + times, 0);
