import { formatDay, formatValue } from '@belvedere/chart';
import type { FilterDefault } from '@belvedere/document';
import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import { Checkbox, InlineSelect, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { useEditor } from '../../editor/state/editing.ts';
import { RangeFields } from '../../editor/inspector/RangeFields.tsx';
import { words } from '../../editor/messages/words.ts';
import { locale } from '../../messages/messages.ts';
import { useModelEditing } from '../model-editing.ts';
import { usePreview } from '../Preview.tsx';

type Value = string | number | boolean | null;
type Way = 'oneOf' | 'noneOf' | 'range';

/** The condition that a model sets on one of its fields: some values, all but some, or a range. */
export function FilterFields({ field }: { readonly field: string }) {
  const { editor } = useModelEditing();
  const condition = useEditor(editor, state => state.document.filters?.[field]);
  const type = useEditor(editor, state => state.checked.dimensions[field]) as DataType | undefined;
  const { data } = usePreview('dimensions', field);
  const set = (next: FilterDefault) =>
    editor.apply(
      words.steps.filter,
      [{ kind: 'set', path: ['filters', field], value: next }],
      `filters.${field}`,
    );
  if (!condition || !type) return null;
  const way: Way = 'noneOf' in condition ? 'noneOf' : 'oneOf' in condition ? 'oneOf' : 'range';
  const canRange = isNumeric(type) || isTemporal(type);
  const chosen: readonly Value[] =
    'oneOf' in condition ? condition.oneOf : 'noneOf' in condition ? condition.noneOf : [];
  const frequent = data?.kind === 'dimension' ? (data.values ?? []).map(entry => entry.value) : [];
  const offered = [...new Set([...chosen, ...frequent])];
  const show = (value: Value) =>
    typeof value === 'number' && isTemporal(type) ? formatDay(value, locale) : formatValue(value, locale);
  const choose = (values: readonly Value[]) =>
    values.length > 0 && set(way === 'noneOf' ? { noneOf: [...values] } : { oneOf: [...values] });
  const turn = (next: string) => {
    if (next === way) return;
    const values = chosen.length > 0 ? [...chosen] : [frequent[0] ?? null];
    set(next === 'range' ? {} : next === 'noneOf' ? { noneOf: values } : { oneOf: values });
  };
  return (
    <>
      <InlineSelect
        label={words.model.holds}
        value={way}
        options={(['oneOf', 'noneOf', ...(canRange ? ['range' as const] : [])] as const).map(value => ({
          value,
          label: words.model.ways[value],
        }))}
        onChange={turn}
      />
      {way === 'range' ? (
        <RangeFields
          condition={condition as { from?: string | number; below?: string | number }}
          isNumber={isNumeric(type)}
          onChange={set}
        />
      ) : (
        <>
          <ul aria-label={words.model.values} className="flex max-h-56 flex-col overflow-y-auto">
            {offered.map(value => (
              <li key={String(value)}>
                <Checkbox
                  isSelected={chosen.includes(value)}
                  onChange={isChosen =>
                    choose(isChosen ? [...chosen, value] : chosen.filter(other => other !== value))
                  }
                >
                  {show(value)}
                </Checkbox>
              </li>
            ))}
          </ul>
          <OtherValue
            isNumber={isNumeric(type)}
            onAdd={value => !chosen.includes(value) && choose([...chosen, value])}
          />
        </>
      )}
    </>
  );
}

/** A value that is not among the most frequent. */
function OtherValue({
  isNumber,
  onAdd,
}: {
  readonly isNumber: boolean;
  readonly onAdd: (value: Value) => void;
}) {
  const [typed, setTyped] = useState('');
  const add = () => {
    const value = isNumber ? Number(typed) : typed;
    if (typed === '' || Number.isNaN(value)) return;
    onAdd(value);
    setTyped('');
  };
  return <TextField label={words.model.otherValue} value={typed} onChange={setTyped} onEnter={add} />;
}
