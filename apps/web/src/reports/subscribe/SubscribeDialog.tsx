import type { DashboardState, OpenDashboard } from '@belvedere/api';
import type { ScheduleFile } from '@belvedere/document';
import { Button, Modal, TextField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { isAllowed } from '../../data/session/permissions.ts';
import { client, useSession } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { ContentFields, type Contents } from '../form/ContentFields.tsx';
import { readersLanguage, workspaceLanguage } from '../../messages/messages.ts';
import { LanguageField } from '../../scheduled/LanguageField.tsx';
import { words } from '../messages/words.ts';
import { refreshReports, useSubscriptions } from '../report-data.ts';
import { ScheduleFields } from '../form/ScheduleFields.tsx';
import { momentIn, scheduleText } from '../schedule-text.ts';
import { SubscriptionButton } from './SubscriptionButton.tsx';
import { useReportChange } from '../use-report-change.ts';

interface SubscribeDialogProps {
  readonly dashboard: OpenDashboard;
  /** What is seen now. */
  readonly state: DashboardState;
  readonly onClose: () => void;
}

/** Sends a dashboard to this user on a schedule, as it is filtered now. */
export function SubscribeDialog({ dashboard, state, onClose }: SubscribeDialogProps) {
  const [title, setTitle] = useState(dashboard.title);
  const [isTimeInvalid, setIsTimeInvalid] = useState(false);
  const [schedule, setSchedule] = useState<ScheduleFile>({ at: '08:00', days: 'weekdays' });
  const [contents, setContents] = useState<Contents>({ pictures: true, attach: [] });
  const [done, setDone] = useState<string>();
  const { change, isBusy, problem } = useReportChange();
  const { data: subscriptions = [] } = useSubscriptions(dashboard.id);
  const { create } = usePermissions();
  const workspaceZone = useSession().data?.workspace.timezone;
  const own = readersLanguage();
  const [locale, setLocale] = useState<string | undefined>(own === workspaceLanguage() ? undefined : own);
  const label = words.subscribe.title(dashboard.title);
  const filters = Object.fromEntries(
    Object.entries(state.filters).flatMap(([field, condition]) => (condition ? [[field, condition]] : [])),
  );
  const subscribe = () =>
    change(async () => {
      const { times, timezone } = await client.getDueTimes({ body: { schedule } });
      await client.subscribe({
        params: { id: dashboard.id },
        body: {
          title: title.trim(),
          schedule,
          pictures: contents.pictures,
          ...(locale !== undefined && { locale }),
          attach: [...contents.attach],
          filters,
          parameters: { ...state.parameters },
        },
      });
      await refreshReports();
      setDone(
        times[0] === undefined ? '' : momentIn(times[0], schedule.timezone ?? workspaceZone ?? timezone),
      );
    });
  return (
    <Modal label={label} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <div className="flex max-h-[85dvh] flex-col gap-4 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{label}</h2>
        {done === undefined ? (
          <form
            className="flex flex-col gap-4"
            onSubmit={event => {
              event.preventDefault();
              if (title.trim() !== '') void subscribe();
            }}
          >
            <TextField label={words.subscribe.name} value={title} onChange={setTitle} maxLength={200} />
            <ScheduleFields schedule={schedule} onChange={setSchedule} onInvalid={setIsTimeInvalid} />
            <ContentFields {...contents} mayExport={isAllowed(dashboard, 'explore')} onChange={setContents} />
            <LanguageField locale={locale} onChange={setLocale} />
            <p className="text-12 text-text-2">{words.subscribe.withFilters}</p>
            <FormProblem problem={problem} />
            <div className="flex flex-wrap justify-end gap-2">
              {create ? (
                <Link
                  to="/reports/new"
                  search={{ dashboard: dashboard.id }}
                  className="me-auto self-center text-13 underline"
                >
                  {words.subscribe.forOthers}
                </Link>
              ) : null}
              <Button onPress={onClose}>{words.cancel}</Button>
              <Button
                type="submit"
                look="primary"
                isDisabled={isBusy || isTimeInvalid || title.trim() === ''}
              >
                {words.subscribe.submit}
              </Button>
            </div>
          </form>
        ) : (
          <p role="status" className="rounded-control bg-good-weak px-3 py-2 text-good">
            {done === '' ? words.subscribe.doneUnknown : words.subscribe.done(done)}
          </p>
        )}
        {subscriptions.length > 0 ? (
          <section aria-label={words.subscribe.own} className="border-t border-border pt-3">
            <h3 className="pb-1 text-12 font-medium text-text-2">{words.subscribe.own}</h3>
            <ul>
              {subscriptions.map(report => (
                <li key={report.id} className="flex items-center gap-2 py-1">
                  <span className="min-w-0 flex-1">
                    <Link
                      to="/reports/$report"
                      params={{ report: report.id }}
                      className="block wrap-anywhere hover:underline"
                    >
                      {report.title}
                    </Link>
                    <span className="block text-12 text-text-2">
                      {report.schedule ? scheduleText(report.schedule) : ''}
                    </span>
                  </span>
                  <SubscriptionButton report={report} />
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {done === undefined ? null : (
          <div className="flex justify-end">
            <Button onPress={onClose}>{words.close}</Button>
          </div>
        )}
      </div>
    </Modal>
  );
}
