import { months, weekdays } from '@belvedere/document';
import { dateFormat } from '@belvedere/chart';
import { InlineSelect } from '@belvedere/ui';
import { locale } from '../../messages/messages.ts';
import { setKey } from '../state/commands.ts';
import { useEditing, useEditor } from '../state/editing.ts';
import { words } from '../messages/words.ts';
import { Section } from './Section.tsx';

/** By which clock the dashboard's times are, and where its weeks and fiscal years begin. */
export function CalendarSection() {
  const { editor } = useEditing();
  const { timezone, weekStart, fiscalYearStart } = useEditor(editor, state => state.document);
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
      {choice(
        words.calendar.zone,
        'timezone',
        timezone,
        zonesWith(timezone).map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
      )}
      {choice(
        words.calendar.weekStart,
        'weekStart',
        weekStart,
        weekdays.map((value, i) => ({
          value,
          label: dateFormat(locale, { weekday: 'long' }).format(Date.UTC(2024, 0, 1 + i)),
        })),
      )}
      {choice(
        words.calendar.fiscalYearStart,
        'fiscalYearStart',
        fiscalYearStart,
        months.map((value, i) => ({
          value,
          label: dateFormat(locale, { month: 'long' }).format(Date.UTC(2024, i, 1)),
        })),
      )}
    </Section>
  );
}

/** The zones this browser knows, and the one that is written: another may know it by another name. */
function zonesWith(written: string | undefined): readonly string[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone !== 'UTC')];
  return written === undefined || known.includes(written) ? known : [written, ...known];
}
