import { useSubjects } from '../accounts/account-data.ts';
import { useChannelNames } from '../channels/channel-data.ts';
import { usePermissions } from '../data/session/use-permissions.ts';
import type { ScheduledNames } from './scheduled-names.ts';

const none = [] as const;

/** The users, groups and channels that texts can name. */
export function useRecipientNames(): Pick<ScheduledNames, 'subjects' | 'channels'> {
  const { team } = usePermissions();
  const { data } = useSubjects('', team);
  const { data: channels } = useChannelNames();
  return { subjects: data?.subjects ?? none, channels: channels?.channels ?? none };
}
