import { viewersZone } from '@belvedere/document';
import { InlineSelect } from '@belvedere/ui';
import { monthOptions, weekdayOptions, zoneOptions } from '../../../data/calendar-options.ts';
import { intervalText } from '../../../data/dashboards/refresh-interval.ts';
import { setKey } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { words } from '../../messages/words.ts';
import { Section } from '../Section.tsx';

const intervals = ['10 seconds', '30 seconds', '1 minute', '5 minutes', '15 minutes', '1 hour'];

/** By which clock the dashboard's times are, where its weeks and fiscal years begin, and how often it refreshes. */
export function CalendarSection() {
  const { editor } = useEditing();
  const { timezone, weekStart, fiscalYearStart, refresh } = useEditor(editor, state => state.document);
  const choice = (
    label: string,
    key: string,
    value: string | undefined,
    options: readonly { readonly value: string; readonly label: string }[],
  ) => (
    <InlineSelect
      label={label}
      value={value ?? ''}
      options={[{ value: '', label: words.calendar.workspaces }, ...options]}
      onChange={chosen =>
        editor.apply(words.steps.setting, [setKey([key], chosen === '' ? undefined : chosen)])
      }
    />
  );
  return (
    <Section title={words.calendar.title}>
      {choice(words.calendar.zone, 'timezone', timezone, [
        { value: viewersZone, label: words.calendar.viewers },
        ...zoneOptions(timezone === viewersZone ? undefined : timezone),
      ])}
      {choice(words.calendar.weekStart, 'weekStart', weekStart, weekdayOptions())}
      {choice(words.calendar.fiscalYearStart, 'fiscalYearStart', fiscalYearStart, monthOptions())}
      <InlineSelect
        label={words.calendar.refresh}
        value={refresh?.every ?? ''}
        options={[
          { value: '', label: words.calendar.sources },
          ...[...new Set([...(refresh ? [refresh.every] : []), ...intervals])].map(value => ({
            value,
            label: intervalText(value),
          })),
        ]}
        onChange={every =>
          editor.apply(words.steps.setting, [setKey(['refresh'], every === '' ? undefined : { every })])
        }
      />
    </Section>
  );
}
