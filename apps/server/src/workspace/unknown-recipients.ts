import type { AlertFile, DocumentProblem, Recipient, ReportFile } from '@belvedere/document';
import type { DocumentText, Documents } from './documents/read-documents.ts';
import { scheduledDocument, unknownName, type ReportProblem } from './scheduled-document.ts';

/** Whom alerts and reports can name, as the state database knows it. */
export interface RecipientNames {
  /** E-mail addresses in lower case. Undefined without accounts: then users and groups are not checked. */
  readonly users?: ReadonlySet<string>;
  readonly groups?: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
}

/** @param users all accounts; none without accounts */
export function recipientNames(
  users: Iterable<{ readonly email: string; readonly isService: boolean }>,
  groups: Iterable<{ readonly name: string }>,
  channels: Iterable<{ readonly name: string }>,
): RecipientNames {
  const named = (all: Iterable<{ readonly name: string }>) => new Set(Array.from(all, ({ name }) => name));
  const people = [...users].filter(({ isService }) => !isService);
  return {
    ...(people.length > 0 && {
      users: new Set(people.map(({ email }) => email.toLowerCase())),
      groups: named(groups),
    }),
    channels: named(channels),
  };
}

/**
 * Returns the problems of owners and recipients that do not exist. They do not keep a document from running,
 * since its other recipients still get their messages.
 */
export function unknownRecipients(
  { alerts, reports }: Pick<Documents, 'alerts' | 'reports'>,
  names: RecipientNames,
): DocumentProblem[] {
  return [...alerts, ...reports].flatMap(([id, text]) => unknownRecipientsIn(id, text, names));
}

/** As `unknownRecipients`, of one document. A text that cannot be read has none. */
export function unknownRecipientsIn(
  id: string,
  text: DocumentText<'alert'> | DocumentText<'report'>,
  names: RecipientNames,
): readonly DocumentProblem[] {
  if (!text.read.ok) return [];
  return scheduledDocument<'alert' | 'report'>(id, text, (document, report) =>
    checkRecipients(document, names, report),
  ).problems;
}

function checkRecipients(
  document: AlertFile | ReportFile,
  names: RecipientNames,
  report: ReportProblem,
): void {
  if (document.owner !== undefined && names.users && !names.users.has(document.owner))
    report(['owner'], unknownName('user', document.owner, names.users));
  const lists: readonly (readonly [readonly PropertyKey[], readonly Recipient[] | undefined])[] =
    'watch' in document
      ? [[['notify'], document.notify]]
      : [
          [['to'], document.to],
          ...(document.each ?? []).map(({ to }, i) => [['each', i, 'to'], to] as const),
        ];
  for (const [path, recipients = []] of lists)
    for (const [i, { user, group, channel }] of recipients.entries()) {
      if (user !== undefined && names.users && !names.users.has(user))
        report([...path, i, 'user'], unknownName('user', user, names.users));
      if (group !== undefined && names.groups && !names.groups.has(group))
        report([...path, i, 'group'], unknownName('group', group, names.groups));
      if (channel !== undefined && !names.channels.has(channel))
        report([...path, i, 'channel'], unknownName('channel', channel, names.channels));
    }
}
