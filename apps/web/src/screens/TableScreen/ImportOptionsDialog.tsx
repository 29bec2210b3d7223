import { type ImportOptions, type TableDetail } from '@belvedere/api';
import { Button, InlineSelect, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { t } from '../../messages/messages.ts';
import { importOptionsOf } from './import-options.ts';
import { Losses, SaveOptions } from '../../import-options/Losses.tsx';
import { useImportDecision } from '../../import-options/use-import-decision.ts';

const encodings = [
  'UTF-8',
  'UTF-16 LE',
  'UTF-16 BE',
  'Windows-1252',
  'Latin-1',
  'Mac Roman',
  'Windows-1250',
  'Windows-1251',
  'Shift_JIS',
  'GB18030',
] as const;
const types = ['text', 'integer', 'decimal', 'number', 'boolean', 'date', 'time', 'duration'] as const;
const maxColumns = 60;

/**
 * Changes the import options of a table. Options on *Automatic* stay detected; the others are saved in the
 * workspace.
 */
export function ImportOptionsDialog({
  table,
  onClose,
}: {
  readonly table: TableDetail;
  readonly onClose: () => void;
}) {
  const [reading, setReading] = useState<ImportOptions>(table.importOptions ?? {});
  const decision = useImportDecision(table, onClose);
  const guess = { value: '', label: t.importOptions.guess };
  const change = <K extends keyof ImportOptions>(key: K, value: ImportOptions[K] | undefined) => {
    const { [key]: _, ...rest } = reading;
    decision.reset();
    setReading(value === undefined ? rest : { ...rest, [key]: value });
  };
  const columns = table.profile.slice(0, maxColumns);
  const offered = importOptionsOf(table.files);
  return (
    <Modal
      label={t.importOptions.title}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-xl"
    >
      <div className="flex max-h-[80vh] flex-col gap-3 overflow-y-auto p-4 pb-0">
        <h2 className="text-15 font-semibold">{t.importOptions.title}</h2>
        {offered.has('nested') ? (
          <InlineSelect
            label={t.importOptions.nested}
            value={reading.nested ?? ''}
            options={[
              { value: '', label: t.importOptions.nestings.columns },
              { value: 'text', label: t.importOptions.nestings.text },
            ]}
            onChange={value => change('nested', (value || undefined) as ImportOptions['nested'])}
          />
        ) : null}
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          {offered.has('encoding') ? (
            <InlineSelect
              label={t.data.encoding}
              value={reading.encoding ?? ''}
              options={[guess, ...encodings.map(value => ({ value, label: value }))]}
              onChange={value => change('encoding', (value || undefined) as ImportOptions['encoding'])}
            />
          ) : null}
          {offered.has('delimiter') ? (
            <InlineSelect
              label={t.data.delimiter}
              value={reading.delimiter ?? ''}
              options={[
                guess,
                { value: ',', label: ',' },
                { value: ';', label: ';' },
                { value: '\t', label: t.data.tab },
                { value: '|', label: '|' },
              ]}
              onChange={value => change('delimiter', value || undefined)}
            />
          ) : null}
          {offered.has('header') ? (
            <InlineSelect
              label={t.data.header}
              value={reading.header === undefined ? '' : String(reading.header)}
              options={[guess, { value: 'true', label: t.data.yes }, { value: 'false', label: t.data.no }]}
              onChange={value => change('header', value === '' ? undefined : value === 'true')}
            />
          ) : null}
          {offered.has('skip') ? (
            <TextField
              label={t.importOptions.skip}
              value={reading.skip === undefined ? '' : String(reading.skip)}
              onChange={value => change('skip', /^\d{1,4}$/.test(value) ? Number(value) : undefined)}
              placeholder={t.importOptions.guess}
              inputMode="decimal"
            />
          ) : null}
          {offered.has('decimal') ? (
            <InlineSelect
              label={t.importOptions.decimal}
              value={reading.decimal ?? ''}
              options={[guess, { value: '.', label: '1,234.5' }, { value: ',', label: '1.234,5' }]}
              onChange={value => change('decimal', (value || undefined) as ImportOptions['decimal'])}
            />
          ) : null}
          {offered.has('dates') ? (
            <InlineSelect
              label={t.importOptions.dates}
              value={reading.dates ?? ''}
              options={[
                guess,
                ...(['day first', 'month first', 'year first'] as const).map(value => ({
                  value,
                  label: t.importOptions.orders[value],
                })),
              ]}
              onChange={value => change('dates', (value || undefined) as ImportOptions['dates'])}
            />
          ) : null}
        </div>
        {offered.has('nulls') ? (
          <TextField
            label={t.importOptions.nulls}
            value={reading.nulls?.join(', ') ?? ''}
            onChange={value =>
              change(
                'nulls',
                value.trim() === ''
                  ? undefined
                  : value
                      .split(',')
                      .map(one => one.trim())
                      .filter(Boolean),
              )
            }
            placeholder="NA, -, #NULL!"
          />
        ) : null}
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-1 text-13 font-medium">{t.importOptions.columns}</legend>
          <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
            {columns.map(column => (
              <InlineSelect
                key={column.name}
                label={column.name}
                value={reading.columns?.[column.name] ?? ''}
                options={[
                  { value: '', label: t.importOptions.guessed(t.types[column.type] ?? column.type) },
                  ...types.map(value => ({ value, label: t.types[value] ?? value })),
                ]}
                onChange={value => {
                  const { [column.name]: _, ...rest } = reading.columns ?? {};
                  const next =
                    value === '' ? rest : { ...rest, [column.name]: value as (typeof types)[number] };
                  change('columns', Object.keys(next).length === 0 ? undefined : next);
                }}
              />
            ))}
          </div>
        </fieldset>
        <p className="text-12 text-text-2">{t.importOptions.hint(table.name)}</p>
        {/* Tables of many columns have a long list, of which the buttons would be the end. */}
        <div className="sticky bottom-0 -mx-4 flex flex-col gap-2 rounded-b-tile border-t border-border bg-raised px-4 py-3">
          <Losses losses={decision.losses} />
          <div className="flex justify-end gap-2">
            <Button onPress={onClose}>{t.cancel}</Button>
            <SaveOptions decision={decision} reading={reading} />
          </div>
        </div>
      </div>
    </Modal>
  );
}
