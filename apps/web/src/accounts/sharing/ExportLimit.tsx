import type { Grant } from '@belvedere/api';
import { Button, Popover, TextField } from '@belvedere/ui';
import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { locale } from '../../messages/messages.ts';
import { words } from '../messages/words.ts';

const maxRows = 100_000_000;

interface ExportLimitProps {
  /** The users whom it limits. */
  readonly name: string;
  readonly rows: Grant['exportRows'];
  readonly onChange: (rows: number | null) => void;
}

/** How many rows of a table the exports of a grant may have: a button with the number, and a field for it. */
export function ExportLimit({ name, rows, onChange }: ExportLimitProps) {
  const label = words.share.exportLimitOf(name);
  return (
    <Popover
      label={label}
      triggerClassName={
        'flex h-[30px] min-w-8 items-center justify-center gap-1 rounded-control px-1.5 text-12 text-text-2 ' +
        'hover:bg-hover pointer-coarse:h-11 pointer-coarse:min-w-11'
      }
      trigger={
        <>
          <FileDown size={15} aria-label={label} />
          {rows === undefined ? null : <span className="tabular">≤ {rows.toLocaleString(locale)}</span>}
        </>
      }
    >
      {close => (
        <LimitForm
          rows={rows}
          onChange={next => {
            close();
            if (next !== (rows ?? null)) onChange(next);
          }}
        />
      )}
    </Popover>
  );
}

function LimitForm({ rows, onChange }: Pick<ExportLimitProps, 'rows' | 'onChange'>) {
  const [text, setText] = useState(rows === undefined ? '' : String(rows));
  const [isWrong, setIsWrong] = useState(false);
  const save = () => {
    const value = Number(text);
    if (text.trim() === '') onChange(null);
    else if (/^\d+$/.test(text.trim()) && value >= 1 && value <= maxRows) onChange(value);
    else setIsWrong(true);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label={words.share.exportRows}
        inputMode="decimal"
        maxLength={9}
        autoFocus
        value={text}
        onChange={next => {
          setText(next);
          setIsWrong(false);
        }}
        hint={words.share.exportRowsHint}
        {...(isWrong && { error: words.share.exportRowsWrong })}
      />
      <div className="flex justify-end gap-2">
        {rows === undefined ? null : (
          <Button onPress={() => onChange(null)}>{words.share.noExportLimit}</Button>
        )}
        <Button look="primary" type="submit">
          {words.save}
        </Button>
      </div>
    </form>
  );
}
