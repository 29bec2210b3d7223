import type { AlertDetail } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { AlarmClock, Copy, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import { AlertStateChip } from '../../alerts/AlertStateChip.tsx';
import { momentOf } from '../../alerts/alert-texts.ts';
import { words } from '../../alerts/messages/words.ts';
import { MuteButton } from '../../alerts/MuteButton.tsx';
import { SnoozeMenu } from '../../alerts/SnoozeMenu.tsx';
import type { useAttempt } from '../../comments/use-attempt.ts';
import { client } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

interface AlertHeadingProps {
  readonly alert: AlertDetail;
  readonly attempt: ReturnType<typeof useAttempt>['attempt'];
  readonly onRemove: () => void;
}

/** The title of an alert, its state, and the user's actions. */
export function AlertHeading({ alert, attempt, onRemove }: AlertHeadingProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-3">
      <div className="min-w-0">
        <h1 className="text-20 font-semibold tracking-[-0.01em] wrap-anywhere">{alert.title}</h1>
        <p className="flex flex-wrap items-center gap-2 pt-1 text-text-2">
          <AlertStateChip state={alert.state} />
          {alert.since === undefined ? null : (
            <span>
              {words.since} {momentOf(alert.since)}
            </span>
          )}
          {alert.snoozedUntil === undefined ? null : (
            <span className="inline-flex items-center gap-1">
              <AlarmClock size={13} aria-hidden />
              {words.snoozed(momentOf(alert.snoozedUntil))}
              {alert.snoozedBy === undefined ? null : ` (${alert.snoozedBy})`}
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        <MuteButton alert={alert} />
        {alert.canEdit ? <EditorActions alert={alert} attempt={attempt} onRemove={onRemove} /> : null}
      </div>
    </div>
  );
}

/** The actions of users who may edit the alert. */
function EditorActions({ alert, attempt, onRemove }: AlertHeadingProps) {
  const navigate = useNavigate();
  const { id } = alert;
  const ids = [id];
  const hasErrors = alert.state === 'invalid';
  return (
    <>
      <Button
        isDisabled={hasErrors}
        onPress={() => void attempt(() => client.checkAlerts({ body: { ids } }))}
      >
        <RefreshCw size={15} aria-hidden />
        {words.checkNow}
      </Button>
      <Button
        isDisabled={hasErrors}
        onPress={() => void attempt(() => client.pauseAlerts({ body: { ids, paused: !alert.isPaused } }))}
      >
        {alert.isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
        {alert.isPaused ? words.resume : words.pause}
      </Button>
      <Button
        look="primary"
        onPress={() => void navigate({ to: '/alerts/$alert/edit', params: { alert: id } })}
      >
        <Pencil size={15} aria-hidden />
        {words.edit}
      </Button>
      <Button look="quiet" onPress={() => void navigate({ to: '/alerts/new', search: { copy: id } })}>
        <Copy size={15} aria-hidden />
        {t.actions.duplicate}
      </Button>
      <SnoozeMenu ids={ids} isSnoozed={alert.snoozedUntil !== undefined} attempt={attempt} />
      <Button look="quiet" onPress={onRemove}>
        <Trash2 size={15} aria-hidden />
        {words.remove}
      </Button>
    </>
  );
}
