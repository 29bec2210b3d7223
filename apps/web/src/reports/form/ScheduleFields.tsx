import { weekdays, type ScheduleFile } from '@belvedere/document';
import { Checkbox, InlineSelect, TextField } from '@belvedere/ui';
import { useEffect, useState } from 'react';
import { useSession } from '../../data/server.ts';
import { locale } from '../../messages/messages.ts';
import { words } from '../messages/words.ts';
import { useDueTimes } from '../report-data.ts';
import { onDays, presetOf, presets, weekdayIn, type Preset } from '../describe-schedule.ts';
import { ownZone } from '../../data/session/own-zone.ts';
import { dueText } from '../schedule-text.ts';

interface ScheduleFieldsProps {
  readonly schedule: ScheduleFile;
  readonly onChange: (schedule: ScheduleFile) => void;
  /** Called with whether the time that is typed is none, so that nothing else is saved in its place. */
  readonly onInvalid: (isInvalid: boolean) => void;
}

/** When a report is sent: days, time and zone, and when that is next. */
export function ScheduleFields({ schedule, onChange, onInvalid }: ScheduleFieldsProps) {
  const preset = presetOf(schedule);
  const [isCustom, setIsCustom] = useState(preset === undefined);
  const workspaceZone = useSession().data?.workspace.timezone ?? ownZone();
  const zone = schedule.timezone ?? workspaceZone;
  const zones = [...new Set([workspaceZone, ownZone(), zone])];
  const chosen = new Set(Array.isArray(schedule.days) ? (schedule.days as readonly (string | number)[]) : []);
  const next = useDueTimes(schedule).data?.times[0];
  const choose = (value: string) => {
    setIsCustom(value === 'custom');
    if (value !== 'custom') onChange(onDays(schedule, copied(presets[value as Preset])));
    else if (!weekdays.some(day => chosen.has(day))) onChange(onDays(schedule, ['monday', 'thursday']));
  };
  const toggle = (day: (typeof weekdays)[number], isChosen: boolean) => {
    const days = weekdays.filter(one => (one === day ? isChosen : chosen.has(one)));
    if (days.length > 0) onChange(onDays(schedule, days));
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="pb-1 text-12 font-medium text-text-2">{words.schedule.title}</legend>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <InlineSelect
          label={words.schedule.days}
          value={isCustom || preset === undefined ? 'custom' : preset}
          options={[
            ...(Object.keys(presets) as Preset[]).map(value => ({
              value,
              label: words.schedule.presets[value],
            })),
            { value: 'custom', label: words.schedule.presets.custom },
          ]}
          onChange={choose}
        />
        <TimeField at={schedule.at} onChange={at => onChange({ ...schedule, at })} onInvalid={onInvalid} />
      </div>
      {isCustom ? (
        <div role="group" aria-label={words.schedule.days} className="flex flex-wrap gap-x-2">
          {weekdays.map(day => (
            <Checkbox key={day} isSelected={chosen.has(day)} onChange={isChosen => toggle(day, isChosen)}>
              {weekdayIn(locale, day, 'short')}
            </Checkbox>
          ))}
        </div>
      ) : null}
      <InlineSelect
        label={words.schedule.zone}
        value={zone}
        options={zones.map(value => ({ value, label: value.replaceAll('_', ' ') }))}
        onChange={value => {
          const { timezone: _, ...others } = schedule;
          onChange(value === workspaceZone ? others : { ...others, timezone: value });
        }}
      />
      <p className="text-12 text-text-2" aria-live="polite">
        {next === undefined ? '\u00a0' : words.schedule.next(sentence(dueText(next, zone)))}
      </p>
    </fieldset>
  );
}

const sentence = ({ scheduled, local }: ReturnType<typeof dueText>) =>
  local === undefined ? scheduled : `${scheduled}, ${local}`;

/** The text of a time is kept while it is typed, and passed on once it is one. */
function TimeField({
  at,
  onChange,
  onInvalid,
}: {
  readonly at: string;
  readonly onChange: (at: string) => void;
  readonly onInvalid: ScheduleFieldsProps['onInvalid'];
}) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly for: string }>();
  const text = typed?.for === at ? typed.text : at;
  const [, hour, minute] = /^(\d{1,2})[:.](\d{2})$/.exec(text.trim()) ?? [];
  const isTime = hour !== undefined && Number(hour) < 24 && Number(minute) < 60;
  useEffect(() => {
    onInvalid(!isTime);
    return () => onInvalid(false);
  }, [isTime, onInvalid]);
  return (
    <TextField
      label={words.schedule.time}
      value={text}
      maxLength={5}
      {...(!isTime && { error: words.schedule.timeWrong })}
      onChange={value => {
        const [, h, m] = /^(\d{1,2})[:.](\d{2})$/.exec(value.trim()) ?? [];
        const next = h !== undefined && Number(h) < 24 && Number(m) < 60 ? `${h.padStart(2, '0')}:${m}` : at;
        setTyped({ text: value, for: next });
        if (next !== at) onChange(next);
      }}
    />
  );
}

function copied(days: (typeof presets)[Preset]): NonNullable<ScheduleFile['days']> {
  return typeof days === 'string' ? days : ([...days] as NonNullable<ScheduleFile['days']>);
}
