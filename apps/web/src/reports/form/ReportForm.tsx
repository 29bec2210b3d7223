import type { Edit, ReportFile } from '@belvedere/document';
import { InlineSelect, LazyBoundary, lazyComponent, TextField } from '@belvedere/ui';
import { useMemo, useState } from 'react';
import { presentDashboard, type ResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { useDashboard, useDashboards } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { FiltersField } from '../../scheduled/FiltersField.tsx';
import { words as sharedWords } from '../../scheduled/messages/words.ts';
import { RecipientsField } from '../../scheduled/RecipientsField.tsx';
import { setKeys } from '../../scheduled/set-keys.ts';
import { BurstsField } from './BurstsField.tsx';
import { ConditionsField } from './ConditionsField.tsx';
import { ContentFields } from './ContentFields.tsx';
import { LanguageField } from '../../scheduled/LanguageField.tsx';
import { words } from '../messages/words.ts';
import { ScheduleFields } from './ScheduleFields.tsx';

interface ReportFormProps {
  readonly document: ReportFile;
  /** @param joins names steps that follow each other and are undone as one */
  readonly onEdit: (name: string, edits: readonly Edit[], joins?: string) => void;
  /** Called with whether a field holds what the text cannot. */
  readonly onInvalid: (isInvalid: boolean) => void;
}

const ParameterPills = lazyComponent(() =>
  import('../../dashboard/filters/ParameterPills.tsx').then(module => module.default),
);

/** A report's text as a form. What the form does not show stays as it is in the text. */
export function ReportForm({ document, onEdit, onInvalid }: ReportFormProps) {
  const { title, description = '', schedule, pictures = true, attach = [], rows = 'recipient' } = document;
  const { data } = useDashboards();
  const { team } = usePermissions();
  const dashboards = (data?.dashboards ?? []).map(one => ({ value: one.id, label: one.title }));
  const known = dashboards.some(({ value }) => value === document.dashboard);
  const set = (name: string, path: Edit['path'], value: unknown, joins?: string) =>
    onEdit(name, [value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }], joins);
  const { data: opened } = useDashboard(document.dashboard);
  const shown = useMemo(
    () =>
      opened && presentDashboard(opened, { filters: {}, selections: {}, parameters: document.parameters }),
    [opened, document.parameters],
  );
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={words.editor.name}
        value={title}
        maxLength={200}
        onChange={value => value !== '' && set(words.editor.name, ['title'], value, 'title')}
      />
      <TextField
        label={words.editor.description}
        value={description}
        maxLength={2000}
        onChange={value =>
          set(words.editor.description, ['description'], value === '' ? undefined : value, 'description')
        }
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <InlineSelect
          label={words.editor.dashboard}
          value={document.dashboard}
          options={
            known ? dashboards : [{ value: document.dashboard, label: document.dashboard }, ...dashboards]
          }
          onChange={value => set(words.editor.dashboard, ['dashboard'], value)}
        />
        <PagesField pages={document.pages} onChange={pages => set(words.editor.pages, ['pages'], pages)} />
      </div>
      <ScheduleFields
        schedule={schedule}
        onChange={value => set(words.schedule.title, ['schedule'], value)}
        onInvalid={onInvalid}
      />
      <ContentFields
        pictures={pictures}
        attach={attach}
        mayExport
        onChange={contents =>
          onEdit(words.contents.title, [
            contents.pictures
              ? { kind: 'remove', path: ['pictures'] }
              : { kind: 'set', path: ['pictures'], value: false },
            contents.attach.length === 0
              ? { kind: 'remove', path: ['attach'] }
              : { kind: 'set', path: ['attach'], value: contents.attach },
          ])
        }
      />
      <LanguageField
        locale={document.locale}
        onChange={locale => set(sharedWords.language, ['locale'], locale)}
      />
      {shown?.document ? (
        <>
          <FiltersField
            path={['filters']}
            filters={document.filters}
            dashboard={shown}
            hint={sharedWords.filtersHint}
            onEdit={(edits, joins) => onEdit(sharedWords.filters, edits, joins)}
          />
          <ParametersField
            dashboard={shown}
            chosen={document.parameters}
            onEdit={edits => onEdit(words.editor.parameters, edits)}
          />
        </>
      ) : null}
      <ConditionsField
        onlyIf={document.onlyIf}
        dashboard={shown}
        onEdit={(edits, joins) => onEdit(words.editor.onlyIf, edits, joins)}
      />
      <RecipientsField
        path={['to']}
        recipients={document.to}
        empty={team ? words.editor.noRecipients : words.editor.noChannels}
        onEdit={edits => onEdit(words.editor.to, edits)}
      />
      {team ? <RowsField rows={rows} onChange={value => set(words.editor.rows, ['rows'], value)} /> : null}
      <BurstsField
        each={document.each}
        dashboard={shown}
        onEdit={(edits, joins) => onEdit(words.editor.each, edits, joins)}
      />
    </div>
  );
}

function ParametersField({
  dashboard: { document, models },
  chosen,
  onEdit,
}: {
  readonly dashboard: ResolvedDashboard;
  readonly chosen: ReportFile['parameters'];
  readonly onEdit: (edits: readonly Edit[]) => void;
}) {
  if (!document?.parameters) return null;
  return (
    <div role="group" aria-label={words.editor.parameters} className="flex flex-wrap gap-2">
      <LazyBoundary fallback={null}>
        <ParameterPills
          parameters={document.parameters}
          chosen={chosen}
          models={models}
          onParameter={(name, value) => onEdit(setKeys(['parameters'], chosen, { [name]: value }))}
        />
      </LazyBoundary>
    </div>
  );
}

type Rows = NonNullable<ReportFile['rows']>;

function RowsField({
  rows,
  onChange,
}: {
  readonly rows: Rows;
  readonly onChange: (rows: Rows | undefined) => void;
}) {
  return (
    <>
      <InlineSelect
        label={words.editor.rows}
        value={rows}
        options={(['recipient', 'owner'] as const).map(value => ({
          value,
          label: words.editor.rowsOf[value],
        }))}
        onChange={value => onChange(value === 'owner' ? value : undefined)}
      />
      <p className={`-mt-2 text-12 ${rows === 'owner' ? 'text-warn' : 'text-text-2'}`}>
        {rows === 'owner' ? words.editor.ownerWarning : words.editor.rowsHint}
      </p>
    </>
  );
}

/** What is typed stays while it is no list of numbers. */
function PagesField({
  pages,
  onChange,
}: {
  readonly pages: readonly number[] | undefined;
  readonly onChange: (pages: number[] | undefined) => void;
}) {
  const shown = (pages ?? []).join(', ');
  const [typed, setTyped] = useState<{ readonly text: string; readonly for: string }>();
  const text = typed?.for === shown ? typed.text : shown;
  const isList = /^\s*(\d{1,2}\s*(,\s*\d{1,2}\s*)*,?\s*)?$/.test(text);
  return (
    <TextField
      label={words.editor.pages}
      value={text}
      placeholder={words.editor.allPages}
      {...(isList ? { hint: words.editor.pagesHint } : { error: words.editor.pagesWrong })}
      onChange={value => {
        const numbers = [...new Set((value.match(/\d{1,2}/g) ?? []).map(Number))].filter(
          page => page >= 1 && page <= 30,
        );
        setTyped({ text: value, for: numbers.join(', ') });
        onChange(numbers.length > 0 ? numbers : undefined);
      }}
    />
  );
}
