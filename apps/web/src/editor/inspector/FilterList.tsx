import type { DashboardFilter, FilterDefault, Path } from '@belvedere/document';
import { isMeasureField } from '@belvedere/query';
import { Button, Checkbox, InlineSelect, IconButton, Select } from '@belvedere/ui';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { describeCondition } from '../../dashboard/tiles/describe.ts';
import { setKey } from '../state/commands.ts';
import { useEditing, useEditor } from '../state/editing.ts';
import type { FieldProfiles } from '../encoding/field-profiles.ts';
import { words } from '../messages/words.ts';
import { FoldedEntry } from './FoldedEntry.tsx';

interface FilterListProps {
  readonly filters: readonly DashboardFilter[];
  readonly path: Path;
  readonly profiles: FieldProfiles;
  /** A tile's own are not shown to viewers: they only narrow it. */
  readonly isTile?: boolean;
}

/** The filters of a dashboard or a tile: their fields, controls and default values. */
export function FilterList({ filters, path, profiles, isTile = false }: FilterListProps) {
  const { editor } = useEditing();
  const set = (...edits: Parameters<typeof editor.apply>[1]) => editor.apply(words.steps.filter, edits);
  const live = useEditor(editor, state => state.shown.live);
  const offered = profiles.fields.filter(
    field =>
      !isMeasureField(field) &&
      !field.name.startsWith(':') &&
      !filters.some(filter => filter.field === field.name),
  );
  return (
    <>
      {filters.map((filter, i) => {
        const label = filter.label ?? profiles.of(filter.field)?.label ?? filter.field;
        const now = live.state.filters[filter.field] as FilterDefault | null | undefined;
        return (
          <FoldedEntry
            key={filter.field}
            title={
              <>
                {label}
                {filter.default ? (
                  <span className="text-text-3"> · {describeCondition(filter.default)}</span>
                ) : null}
              </>
            }
            actions={[
              i > 0 ? (
                <IconButton
                  key="up"
                  label={words.page.up(label)}
                  className="size-6!"
                  onPress={() => set({ kind: 'move', path: [...path, i], to: i - 1 })}
                >
                  <ArrowUp size={13} aria-hidden />
                </IconButton>
              ) : null,
              i < filters.length - 1 ? (
                <IconButton
                  key="down"
                  label={words.page.down(label)}
                  className="size-6!"
                  onPress={() => set({ kind: 'move', path: [...path, i], to: i + 1 })}
                >
                  <ArrowDown size={13} aria-hidden />
                </IconButton>
              ) : null,
              <IconButton
                key="remove"
                label={words.page.removeFilter(label)}
                className="size-6!"
                onPress={() =>
                  set(
                    filters.length === 1 ? { kind: 'remove', path } : { kind: 'remove', path: [...path, i] },
                  )
                }
              >
                <X size={13} aria-hidden />
              </IconButton>,
            ]}
          >
            {isTile ? null : (
              <InlineSelect
                label={words.page.control}
                value={filter.control ?? ''}
                options={Object.entries(words.page.controls).map(([value, name]) => ({ value, label: name }))}
                onChange={control => set(setKey([...path, i, 'control'], control))}
              />
            )}
            {now ? (
              <Button onPress={() => set({ kind: 'set', path: [...path, i, 'default'], value: now })}>
                {words.page.useNow}: {describeCondition(now)}
              </Button>
            ) : null}
            {filter.default ? (
              <Button look="quiet" onPress={() => set({ kind: 'remove', path: [...path, i, 'default'] })}>
                {words.tile.remove(describeCondition(filter.default))}
              </Button>
            ) : null}
            {isTile ? null : (
              <Checkbox
                isSelected={filter.locked ?? false}
                onChange={locked => set(setKey([...path, i, 'locked'], locked || undefined))}
              >
                {words.page.locked}
              </Checkbox>
            )}
            {isTile ? null : (
              <Checkbox
                isSelected={filter.hidden ?? false}
                onChange={hidden => set(setKey([...path, i, 'hidden'], hidden || undefined))}
              >
                {words.page.hidden}
              </Checkbox>
            )}
          </FoldedEntry>
        );
      })}
      <Select
        look="add"
        label={words.page.addFilter}
        placeholder={words.page.addFilter}
        value=""
        options={offered.map(field => ({ value: field.name, label: field.label }))}
        onChange={field =>
          set(
            filters.length === 0
              ? { kind: 'set', path, value: [{ field }] }
              : { kind: 'insert', path: [...path, filters.length], value: { field } },
          )
        }
      />
    </>
  );
}
