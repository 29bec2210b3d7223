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
  channelOff: 'Channel, switched off',
  removeRecipient: (name: string) => `Remove ${name}`,
  filters: 'Filters',
  filtersHint: 'On top of the dashboard’s own filters.',
  problems: (count: number) => (count === 1 ? '1 error in the text' : `${count} errors in the text`),
  line: (line: number) => `Line ${line}`,
};
export type ScheduledMessages = typeof en;
