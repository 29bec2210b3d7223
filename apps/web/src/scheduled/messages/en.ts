/** The texts that the forms of alerts and reports share. */
export const en = {
  recipients: 'Recipients',
  add: 'Add a user, a group or a channel',
  addChannel: 'Add a channel',
  noneFound: 'Nothing found.',
  noChannelFound: 'No channel found. Admins add channels under Settings › Channels.',
  isAdded: 'Already added',
  group: 'Group',
  channel: 'Channel',
  channelOff: 'Channel, turned off',
  removeRecipient: (name: string) => `Remove ${name}`,
  filters: 'Filters',
  filtersHint: 'On top of the dashboard’s own filters.',
  language: 'Language',
  workspaceLanguage: 'Workspace default',
  problems: (count: number) => (count === 1 ? '1 error in the YAML' : `${count} errors in the YAML`),
  line: (line: number) => `Line ${line}`,
};
export type ScheduledMessages = typeof en;
