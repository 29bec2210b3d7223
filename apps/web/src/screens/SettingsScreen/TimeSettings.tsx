import type { ChangedTimeSettings, Session } from '@belvedere/api';
import { InlineSelect } from '@belvedere/ui';
import { useState } from 'react';
import { monthOptions, weekdayOptions, zoneOptions } from '../../data/calendar-options.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';

/** The workspace's time zone, weeks and fiscal years, which admins change. */
export function TimeSettings({ workspace }: { readonly workspace: Session['workspace'] }) {
  const { administer } = usePermissions();
  const [changing, setChanging] = useState<ChangedTimeSettings>({});
  const [problem, setProblem] = useState<string>();
  const {
    timezone,
    weekStart = 'monday',
    fiscalYearStart = 'january',
  } = { timezone: workspace.timezone, ...workspace.calendar, ...changing };
  const fields = [
    { key: 'timezone', label: t.settings.zone, value: timezone, options: zoneOptions(timezone) },
    { key: 'weekStart', label: t.settings.weekStart, value: weekStart, options: weekdayOptions() },
    {
      key: 'fiscalYearStart',
      label: t.settings.fiscalYearStart,
      value: fiscalYearStart,
      options: monthOptions(),
    },
  ] as const;
  if (!administer)
    return (
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-13">
        {fields.map(({ key, label, value, options }) => (
          <div key={key} className="contents">
            <dt className="text-text-2">{label}</dt>
            <dd>{options.find(option => option.value === value)?.label ?? value}</dd>
          </div>
        ))}
      </dl>
    );
  const change = async (changes: ChangedTimeSettings) => {
    setProblem(undefined);
    setChanging(changes);
    try {
      await client.putTimeSettings({ body: changes });
      await queryClient.invalidateQueries({ queryKey: ['session'] });
    } catch (error) {
      setProblem(problemText(error));
    }
    setChanging({});
  };
  return (
    <div className="flex max-w-60 flex-col gap-3">
      {fields.map(({ key, label, value, options }) => (
        <InlineSelect
          key={key}
          label={label}
          value={value}
          options={options}
          onChange={chosen => void change({ [key]: chosen })}
        />
      ))}
      {problem ? (
        <p role="alert" className="text-13 text-bad">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
