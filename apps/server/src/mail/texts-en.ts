import { namedCount, type MailTexts } from './mail-text.ts';

const ignore = 'If you did not ask for this, ignore this mail. Nothing changes.';
const notYou = 'If this was not you, set a new password and tell an admin of the workspace.';

export const en: MailTexts = {
  greeting: 'Hello,',
  labelled: label => `${label}:`,
  footer: (workspace, address) => `Sent by Belvedere for the workspace “${workspace}”, ${address}`,
  invitation: ({ workspace, by, address }) => ({
    subject: `Invitation to ${workspace}`,
    before: [`${by} invites you to the workspace “${workspace}”.`],
    link: { label: 'Accept the invitation', address },
    after: ['The link works once, for 7 days.'],
  }),
  reset: ({ workspace, address, life }) => ({
    subject: `Set a new password for ${workspace}`,
    before: [`With this link you set a new password for the workspace “${workspace}”.`],
    link: { label: 'Set a new password', address },
    after: [`The link works once, for one ${life}. Earlier links no longer work.`, ignore],
  }),
  confirmEmail: ({ workspace, address }) => ({
    subject: 'Confirm your new e-mail address',
    before: [`You asked to use this address for your account in “${workspace}”.`],
    link: { label: 'Confirm the address', address },
    after: ['The link works once, for one day.', ignore],
  }),
  emailChanging: ({ workspace, next }) => ({
    subject: 'Your e-mail address is about to change',
    before: [
      `A change of your e-mail address in “${workspace}” to ${next} was requested. It takes effect once the new address is confirmed.`,
    ],
    after: [notYou],
  }),
  passwordChanged: ({ workspace }) => ({
    subject: 'Your password was changed',
    before: [`The password of your account in “${workspace}” was changed. All other sessions have ended.`],
    after: [notYou],
  }),
  methodAdded: ({ workspace, method }) => ({
    subject: 'A new way to sign in was added',
    before: [`You can now sign in to “${workspace}” with ${method}.`],
    after: [notYou],
  }),
  digest: ({ workspace, address, named, count }) => ({
    subject:
      count === 1 ? `A new comment for you in ${workspace}` : `${count} new comments for you in ${workspace}`,
    before: [
      ...named.map(({ reason, by = 'A former user', dashboard, times }) => {
        const often = times === 1 ? '' : times === 2 ? 'twice ' : `${times} times `;
        return reason === 'mention'
          ? `${by} mentioned you ${often}on “${dashboard}”.`
          : reason === 'reply'
            ? `${by} replied to you ${often}on “${dashboard}”.`
            : `${by} commented ${often}on “${dashboard}”.`;
      }),
      ...(count > namedCount(named) ? [`And ${count - namedCount(named)} more.`] : []),
    ],
    link: { label: 'Open the inbox', address },
    after: ['You can switch these mails off under Settings › Profile.'],
  }),
  test: ({ workspace }) => ({
    subject: `Test mail of ${workspace}`,
    before: ['Belvedere can send mail.'],
  }),
  message: {
    several: (count, titles) => `${count} alerts: ${titles.join(', ')}`,
    files: 'Attachments',
    channel: channel =>
      `This address is in the channel “${channel}”. Admins change it under Settings › Channels.`,
    unsubscribe: 'Unsubscribe',
    test: {
      title: workspace => `Test message of ${workspace}`,
      line: channel => `Messages to the channel “${channel}” arrive here.`,
    },
  },
};
