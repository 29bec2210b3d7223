import type { Edit, Recipient, ReportFile } from '@belvedere/document';
import { Button, Checkbox, InlineSelect, RemovableChip, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { useDashboards } from '../data/server.ts';
import { usePermissions } from '../data/use-permissions.ts';
import { ContentFields } from './ContentFields.tsx';
import { words } from './messages/words.ts';
import { ScheduleFields } from './ScheduleFields.tsx';

interface ReportFormProps {
  readonly document: ReportFile;
  /** @param joins names steps that follow each other and are undone as one */
  readonly onEdit: (name: string, edits: readonly Edit[], joins?: string) => void;
}

const ages = ['1 hour', '6 hours', '12 hours', '1 day', '2 days', '7 days'] as const;

/** A report's text as a form. What the form does not show stays as it is in the text. */
export function ReportForm({ document, onEdit }: ReportFormProps) {
  const { title, description = '', schedule, pictures = true, attach = [], rows = 'recipient' } = document;
  const { data } = useDashboards();
  const { team } = usePermissions();
  const dashboards = (data?.dashboards ?? []).map(one => ({ value: one.id, label: one.title }));
  const known = dashboards.some(({ value }) => value === document.dashboard);
  const set = (name: string, path: Edit['path'], value: unknown, joins?: string) =>
    onEdit(name, [value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }], joins);
  const { fresh, notEmpty, ...otherConditions } = document.onlyIf ?? {};
  const setConditions = (conditions: NonNullable<ReportFile['onlyIf']>) =>
    set(words.editor.onlyIf, ['onlyIf'], Object.keys(conditions).length > 0 ? conditions : undefined);
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
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="pb-1 text-12 font-medium text-text-2">{words.editor.onlyIf}</legend>
        <Checkbox
          isSelected={notEmpty === true}
          onChange={isOn =>
            setConditions({ ...otherConditions, ...(fresh && { fresh }), ...(isOn && { notEmpty: true }) })
          }
        >
          {words.editor.notEmpty}
        </Checkbox>
        <div className="w-60 max-w-full">
          <InlineSelect
            label={words.editor.fresh}
            value={fresh ?? ''}
            options={[
              { value: '', label: words.editor.freshNever },
              ...[...new Set([...ages, ...(fresh ? [fresh] : [])])].map(value => ({
                value,
                label: words.editor.age(value),
              })),
            ]}
            onChange={value =>
              setConditions({
                ...otherConditions,
                ...(notEmpty && { notEmpty }),
                ...(value !== '' && { fresh: value }),
              })
            }
          />
        </div>
      </fieldset>
      <RecipientsField
        hasAccounts={team}
        to={document.to ?? []}
        onChange={to => set(words.editor.to, ['to'], to.length > 0 ? to : undefined)}
      />
      {team ? <RowsField rows={rows} onChange={value => set(words.editor.rows, ['rows'], value)} /> : null}
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

interface RecipientsFieldProps {
  /** Without accounts, reports are sent to channels only. */
  readonly hasAccounts: boolean;
  readonly to: readonly Recipient[];
  readonly onChange: (to: readonly Recipient[]) => void;
}

function RecipientsField({ hasAccounts, to, onChange }: RecipientsFieldProps) {
  const [text, setText] = useState('');
  const add = () => {
    const added = text
      .split(/[\n;,]/)
      .map(part => part.trim())
      .filter(part => part !== '')
      .map(part => recipientFrom(part, hasAccounts));
    const known = new Set(to.map(nameOf));
    if (added.length > 0) onChange([...to, ...added.filter(one => !known.has(nameOf(one)))]);
    setText('');
  };
  return (
    <div role="group" aria-label={words.editor.to} className="flex flex-col gap-2">
      <form
        className="flex items-end gap-2"
        onSubmit={event => {
          event.preventDefault();
          add();
        }}
      >
        <span className="min-w-0 flex-1">
          <TextField label={words.editor.to} value={text} onChange={setText} maxLength={2000} />
        </span>
        <Button type="submit" isDisabled={text.trim() === ''}>
          {words.editor.addRecipient}
        </Button>
      </form>
      <p className="-mt-1 text-12 text-text-2">
        {hasAccounts ? words.editor.toHint : words.editor.channelsHint}
      </p>
      {to.length === 0 ? (
        <p className="text-12 text-text-2">
          {hasAccounts ? words.editor.noRecipients : words.editor.noChannels}
        </p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {to.map((recipient, i) => (
            <li key={nameOf(recipient)} className="max-w-full">
              <RemovableChip
                label={nameOf(recipient)}
                removeLabel={words.editor.removeRecipient(nameOf(recipient))}
                onRemove={() => onChange(to.filter((_, other) => other !== i))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `#` begins the name of a channel, `@` is in an address, and other texts name a group. */
function recipientFrom(text: string, hasAccounts: boolean): Recipient {
  if (text.startsWith('#') || !hasAccounts) return { channel: text.replace(/^#/, '').trim() };
  return text.includes('@') ? { user: text.toLowerCase() } : { group: text };
}

const nameOf = ({ user, group, channel = '' }: Recipient): string => user ?? group ?? `#${channel}`;
