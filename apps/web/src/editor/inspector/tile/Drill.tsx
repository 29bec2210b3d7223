import type { Tile } from '@belvedere/document';
import { isMeasureField } from '@belvedere/query';
import { IconButton, Select } from '@belvedere/ui';
import { ArrowUp, X } from 'lucide-react';
import { setKey, tilePath } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';

/** The fields of a drill-down, in order. */
export function Drill({
  id,
  tile,
  profiles,
}: {
  readonly id: string;
  readonly tile: Tile;
  readonly profiles: FieldProfiles;
}) {
  const { editor } = useEditing();
  const page = useEditor(editor, state => state.page);
  const levels = tile.drill ?? [];
  const put = (next: readonly string[]) =>
    editor.apply(words.steps.setting, [setKey([...tilePath(page, id), 'drill'], next)]);
  const offered = profiles.fields.filter(
    field => !isMeasureField(field) && !field.name.startsWith(':') && !levels.includes(field.name),
  );
  return (
    <>
      <p className="text-12 text-text-2">{words.tile.drillText}</p>
      {levels.map((name, i) => {
        const label = profiles.of(name)?.label ?? name;
        return (
          <div key={name} className="flex items-center gap-1">
            <span className="min-w-0 flex-1 truncate rounded-control bg-accent-weak px-2 py-1 text-12 text-accent-text">
              {i + 1}. {label}
            </span>
            {i > 0 ? (
              <IconButton
                label={words.page.up(label)}
                className="size-6!"
                onPress={() => put(levels.with(i, levels[i - 1]!).with(i - 1, name))}
              >
                <ArrowUp size={13} aria-hidden />
              </IconButton>
            ) : null}
            <IconButton
              label={words.tile.remove(label)}
              className="size-6!"
              onPress={() => put(levels.filter(other => other !== name))}
            >
              <X size={13} aria-hidden />
            </IconButton>
          </div>
        );
      })}
      {levels.length < 8 ? (
        <Select
          look="add"
          label={words.tile.addLevel}
          placeholder={words.tile.addLevel}
          value=""
          options={offered.map(field => ({ value: field.name, label: field.label }))}
          onChange={level => put([...levels, level])}
        />
      ) : null}
    </>
  );
}
