import { Button, IconButton } from '@belvedere/ui';
import { Plus, X } from 'lucide-react';
import type { AttributeRow } from './attribute-rows.ts';

interface PairTexts {
  readonly title: string;
  readonly hint: string;
  readonly name: string;
  readonly value: string;
  readonly nameOf: (row: number) => string;
  readonly valueOf: (row: number) => string;
  readonly removeOf: (name: string) => string;
  readonly add: string;
}

interface PairRowsProps {
  readonly rows: readonly AttributeRow[];
  readonly onRows: (rows: readonly AttributeRow[]) => void;
  readonly texts: PairTexts;
  /** The values to choose from; any text if undefined. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly error?: string | undefined;
}

const field =
  'h-[30px] w-full min-w-0 rounded-control border border-border bg-surface px-2 text-13 focus:border-accent pointer-coarse:h-11';

/** Rows of a name and a value each. */
export function PairRows({ rows, onRows, texts, options, error }: PairRowsProps) {
  const set = (key: number, change: Partial<AttributeRow>) =>
    onRows(rows.map(row => (row.key === key ? { ...row, ...change } : row)));
  const add = () =>
    onRows([
      ...rows,
      {
        key: Math.max(-1, ...rows.map(({ key }) => key)) + 1,
        name: '',
        value: options?.[0]?.value ?? '',
      },
    ]);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-12 text-text-2">{texts.title}</legend>
      <p className="text-12 text-text-3">{texts.hint}</p>
      {rows.map((row, i) => (
        <div key={row.key} className="flex items-center gap-1.5">
          <input
            aria-label={texts.nameOf(i + 1)}
            placeholder={texts.name}
            value={row.name}
            maxLength={300}
            autoCapitalize="off"
            spellCheck={false}
            onChange={event => set(row.key, { name: event.target.value })}
            className={`${field} max-w-40 font-mono`}
          />
          {options ? (
            <select
              aria-label={texts.valueOf(i + 1)}
              value={row.value}
              onChange={event => set(row.key, { value: event.target.value })}
              className={field}
            >
              {options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          ) : (
            <input
              aria-label={texts.valueOf(i + 1)}
              placeholder={texts.value}
              value={row.value}
              maxLength={4000}
              onChange={event => set(row.key, { value: event.target.value })}
              className={field}
            />
          )}
          <IconButton
            label={texts.removeOf(row.name || String(i + 1))}
            onPress={() => onRows(rows.filter(one => one.key !== row.key))}
          >
            <X size={15} aria-hidden />
          </IconButton>
        </div>
      ))}
      {error ? (
        <span role="alert" className="text-12 text-bad">
          {error}
        </span>
      ) : null}
      <Button look="quiet" className="self-start" onPress={add}>
        <Plus size={15} aria-hidden />
        {texts.add}
      </Button>
    </fieldset>
  );
}
