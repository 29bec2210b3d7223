import { Button, IconButton } from '@belvedere/ui';
import { Plus, X } from 'lucide-react';
import type { AttributeRow } from './attribute-rows.ts';
import { words } from '../messages/words.ts';

interface AttributeRowsProps {
  readonly rows: readonly AttributeRow[];
  readonly onRows: (rows: readonly AttributeRow[]) => void;
  readonly error?: string | undefined;
}

const field =
  'h-[30px] w-full min-w-0 rounded-control border border-border bg-surface px-2 text-13 focus:border-accent pointer-coarse:h-11';

/** Names and values, for row policies. */
export function AttributeRows({ rows, onRows, error }: AttributeRowsProps) {
  const set = (key: number, change: Partial<AttributeRow>) =>
    onRows(rows.map(row => (row.key === key ? { ...row, ...change } : row)));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-12 text-text-2">{words.attributes.title}</legend>
      <p className="text-12 text-text-3">{words.attributes.hint}</p>
      {rows.map((row, i) => (
        <div key={row.key} className="flex items-center gap-1.5">
          <input
            aria-label={words.attributes.nameOf(i + 1)}
            placeholder={words.attributes.name}
            value={row.name}
            maxLength={63}
            autoCapitalize="off"
            spellCheck={false}
            onChange={event => set(row.key, { name: event.target.value })}
            className={`${field} max-w-40 font-mono`}
          />
          <input
            aria-label={words.attributes.valueOf(i + 1)}
            placeholder={words.attributes.value}
            value={row.value}
            maxLength={4000}
            onChange={event => set(row.key, { value: event.target.value })}
            className={field}
          />
          <IconButton
            label={words.attributes.removeOf(row.name || String(i + 1))}
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
      <Button
        look="quiet"
        className="self-start"
        onPress={() =>
          onRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', value: '' }])
        }
      >
        <Plus size={15} aria-hidden />
        {words.attributes.add}
      </Button>
    </fieldset>
  );
}
