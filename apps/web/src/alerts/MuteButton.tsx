import type { AlertSummary } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Bell, BellOff } from 'lucide-react';
import { problemText } from '../data/problem-text.ts';
import { client } from '../data/server.ts';
import { announceFailed } from '../downloads/download-store.ts';
import { refreshAlerts } from './alert-data.ts';
import { words } from './messages/words.ts';

/** Mutes an alert for this user alone, or ends that; nothing for users who do not get its messages. */
export function MuteButton({
  alert: { id, title, isRecipient, hasUnsubscribed },
}: {
  readonly alert: Pick<AlertSummary, 'id' | 'title' | 'isRecipient' | 'hasUnsubscribed'>;
}) {
  if (!isRecipient) return null;
  const put = () =>
    client
      .putAlertSubscription({ params: { id }, body: { isSubscribed: hasUnsubscribed } })
      .then(refreshAlerts, (error: unknown) => announceFailed(problemText(error)));
  const Icon = hasUnsubscribed ? Bell : BellOff;
  return (
    <Button
      aria-label={(hasUnsubscribed ? words.unmuteOne : words.muteOne)(title)}
      onPress={() => void put()}
    >
      <Icon size={15} aria-hidden />
      {hasUnsubscribed ? words.unmute : words.mute}
    </Button>
  );
}
