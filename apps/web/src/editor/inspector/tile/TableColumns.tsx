import type { Tile } from '@belvedere/document';
import { isNumeric } from '@belvedere/model';
import { isMeasureField, type FieldFacts } from '@belvedere/query';
import { Checkbox, InlineSelect, IconButton, TextField } from '@belvedere/ui';
import { X } from 'lucide-react';
import { setKey, tilePath } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import { RangeFields } from '../RangeFields.tsx';

type Table = Extract<Tile, { kind: 'table' }>;
type Highlight = NonNullable<Table['highlights']>[number];

/** How a table's columns look: numbers as bars, and cells in a colour where their value is so. */
export function TableColumns({
  id,
  tile,
  profiles,
}: {
  readonly id: string;
  readonly tile: Table;
  readonly profiles: FieldProfiles;
}) {
  const { editor } = useEditing();
  const page = useEditor(editor, state => state.page);
  const path = tilePath(page, id);
  const columns = (tile.columns ?? profiles.fields.map(({ name }) => name)).map(name => ({
    name,
    field: profiles.of(name),
  }));
  const isNumber = (name: string) => {
    const field = profiles.of(name);
    return field === undefined || isMeasureField(field) || isNumeric(field.type!);
  };
  const numbers = columns.filter(({ name }) => isNumber(name));
  const { highlights = [] } = tile;
  const choiceOf = (key: 'bars' | 'heat' | 'sparklines') => ({
    chosen: tile[key] ?? [],
    onChange: (next: readonly string[]) => editor.apply(words.steps.setting, [setKey([...path, key], next)]),
  });
  // A sparkline shows a row's measure along the model's time. Rows that are times have one value each.
  const measures =
    profiles.time !== undefined && !columns.some(({ name }) => name === profiles.time)
      ? numbers.filter(({ field }) => field === undefined || isMeasureField(field))
      : [];
  const put = (next: readonly Highlight[], joins: string) =>
    editor.apply(words.steps.setting, [setKey([...path, 'highlights'], next)], `highlights:${id}:${joins}`);
  const set = (i: number, next: Highlight) => put(highlights.with(i, next), String(i));
  const newHighlight = (field: string, look: Highlight['look']): Highlight => ({
    field,
    when: isNumber(field) ? { from: 0 } : { oneOf: [''] },
    look,
  });
  return (
    <>
      <ColumnChoice label={words.columns.bars} columns={numbers} {...choiceOf('bars')} />
      <ColumnChoice label={words.columns.heat} columns={numbers} {...choiceOf('heat')} />
      <ColumnChoice label={words.columns.sparklines} columns={measures} max={6} {...choiceOf('sparklines')} />
      <InlineSelect
        label={words.columns.sort}
        value={tile.sort?.field ?? ''}
        options={[
          { value: '', label: words.field.sorts.none },
          ...columns.map(({ name, field }) => ({ value: name, label: field?.label ?? name })),
        ]}
        onChange={field =>
          editor.apply(words.steps.setting, [
            setKey([...path, 'sort'], field === '' ? undefined : { field, order: 'descending' }),
          ])
        }
      />
      {tile.sort ? (
        <InlineSelect
          label={words.field.sortOrder}
          value={tile.sort.order ?? 'ascending'}
          options={(['descending', 'ascending'] as const).map(value => ({
            value,
            label: words.field.sorts[value],
          }))}
          onChange={order =>
            editor.apply(words.steps.setting, [
              setKey([...path, 'sort'], {
                field: tile.sort!.field,
                ...(order === 'descending' && { order }),
              }),
            ])
          }
        />
      ) : null}
      <InlineSelect
        label={words.columns.pinned}
        value={String(tile.pinned ?? 1)}
        options={Array.from({ length: Math.min(columns.length, 10) + 1 }, (_, i) => ({
          value: String(i),
          label: String(i),
        }))}
        onChange={value =>
          editor.apply(words.steps.setting, [
            setKey([...path, 'pinned'], value === '1' ? undefined : Number(value)),
          ])
        }
      />
      {highlights.map((highlight, i) => (
        <div
          key={i}
          role="group"
          aria-label={words.columns.highlight(i + 1)}
          className="flex flex-col gap-2 rounded-control border border-border p-2"
        >
          <div className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              <InlineSelect
                label={words.columns.column}
                value={highlight.field}
                options={[
                  ...columns.map(({ name, field }) => ({ value: name, label: field?.label ?? name })),
                  ...(columns.some(({ name }) => name === highlight.field)
                    ? []
                    : [{ value: highlight.field, label: highlight.field }]),
                ]}
                onChange={field => set(i, newHighlight(field, highlight.look))}
              />
            </div>
            <IconButton
              label={words.columns.remove(i + 1)}
              className="size-6!"
              onPress={() =>
                put(
                  highlights.filter((_, other) => other !== i),
                  'remove',
                )
              }
            >
              <X size={13} aria-hidden />
            </IconButton>
          </div>
          {'oneOf' in highlight.when ? (
            <TextField
              label={words.columns.values}
              value={highlight.when.oneOf.join(', ')}
              onChange={text =>
                set(i, { ...highlight, when: { oneOf: text.split(',').map(value => value.trim()) } })
              }
            />
          ) : 'from' in highlight.when || 'below' in highlight.when ? (
            <RangeFields
              key={highlight.field}
              isNumber
              condition={highlight.when}
              onChange={range =>
                (range.from !== undefined || range.below !== undefined) &&
                set(i, { ...highlight, when: range })
              }
            />
          ) : null}
          <InlineSelect
            label={words.columns.look}
            value={highlight.look}
            options={(['good', 'warn', 'bad', 'accent'] as const).map(value => ({
              value,
              label: words.columns.looks[value],
            }))}
            onChange={look => set(i, { ...highlight, look: look as Highlight['look'] })}
          />
        </div>
      ))}
      {highlights.length < 20 && columns[0] ? (
        <button
          type="button"
          className="self-start text-12 text-accent-text underline"
          onClick={() => put([...highlights, newHighlight((numbers[0] ?? columns[0]!).name, 'warn')], 'add')}
        >
          {words.columns.add}
        </button>
      ) : null}
    </>
  );
}

interface ColumnChoiceProps {
  readonly label: string;
  readonly columns: readonly { readonly name: string; readonly field: FieldFacts | undefined }[];
  readonly chosen: readonly string[];
  /** How many can be chosen. */
  readonly max?: number;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The columns that show their numbers in one way. */
function ColumnChoice({ label, columns, chosen, max = 20, onChange }: ColumnChoiceProps) {
  if (columns.length === 0) return null;
  return (
    <div role="group" aria-label={label} className="contents">
      <p className="text-12 text-text-2">{label}</p>
      {columns.slice(0, 30).map(({ name, field }) => (
        <Checkbox
          key={name}
          isSelected={chosen.includes(name)}
          isDisabled={!chosen.includes(name) && chosen.length >= max}
          onChange={isOn => onChange(isOn ? [...chosen, name] : chosen.filter(other => other !== name))}
        >
          {field?.label ?? name}
        </Checkbox>
      ))}
    </div>
  );
}
