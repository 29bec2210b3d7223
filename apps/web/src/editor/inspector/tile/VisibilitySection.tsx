import { parameterText } from '@belvedere/chart';
import { labelFrom, valueOf, type ShowIf, type Tile } from '@belvedere/document';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { parameterLabel } from '../../../dashboard/tiles/describe.ts';
import { locale } from '../../../messages/messages.ts';
import { setKey, tilePath, tilesOf } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { tileName } from '../../canvas/EditableTile.tsx';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import { NumberField } from '../NumberField.tsx';
import { Section } from '../Section.tsx';

const conditions = ['parameter', 'filtered', 'notFiltered', 'selected', 'notSelected'] as const;
type Condition = (typeof conditions)[number];

interface ShownWhenProps {
  readonly id: string;
  readonly tile: Tile;
  readonly profiles: FieldProfiles | undefined;
}

/** When a tile is shown: always, or while all of its conditions hold; one of each kind. */
export function VisibilitySection({ id, tile, profiles }: ShownWhenProps) {
  const { editor, models } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const shown = useEditor(editor, state => state.shown);
  const { parameters = {}, filters = [] } = document;
  const others = Object.entries(tilesOf(document, page)).filter(
    ([other, { kind }]) => other !== id && !['kpi', 'gauge', 'text', 'image', 'control'].includes(kind),
  );
  const { showIf = {} } = tile;
  const names = Object.keys(parameters);
  const set = (next: ShowIf) =>
    editor.apply(
      words.steps.setting,
      [setKey([...tilePath(page, id), 'showIf'], Object.keys(next).length > 0 ? next : undefined)],
      `showIf:${id}`,
    );
  const beginning: Readonly<Record<Condition, () => ShowIf>> = {
    parameter: () => ({ parameter: names[0], is: valueOf(parameters[names[0]!]!, undefined) }),
    filtered: () => ({ filtered: filters[0]!.field }),
    notFiltered: () => ({ notFiltered: filters[0]!.field }),
    selected: () => ({ selected: others[0]![0] }),
    notSelected: () => ({ notSelected: others[0]![0] }),
  };
  const held = conditions.filter(condition => showIf[condition] !== undefined);
  const possible = conditions.filter(
    condition =>
      (condition === 'parameter'
        ? names
        : condition === 'filtered' || condition === 'notFiltered'
          ? filters
          : others
      ).length > 0,
  );
  const choice = (position: number, now: Condition | undefined) => {
    const offered = conditions.filter(
      condition => condition === now || (possible.includes(condition) && !held.includes(condition)),
    );
    if (offered.length === 0) return null;
    const none =
      held.length === 0
        ? words.shown.always
        : now === undefined
          ? words.shown.nothingMore
          : words.shown.remove;
    return (
      <InlineSelect
        label={position === 0 ? words.shown.label : words.shown.and}
        value={now ?? 'none'}
        options={[
          { value: 'none', label: none },
          ...offered.map(value => ({ value, label: words.shown.when[value] })),
        ]}
        onChange={next =>
          set({
            ...(now ? without(showIf, now) : showIf),
            ...(next === 'none' ? {} : beginning[next as Condition]()),
          })
        }
      />
    );
  };
  // A tile alone on its page, without filters and parameters, is always shown.
  if (held.length === 0 && possible.length === 0) return null;
  return (
    <Section title={words.shown.title}>
      {held.map((condition, i) => (
        <div key={condition} className="flex flex-col gap-2">
          {choice(i, condition)}
          {of(condition)}
        </div>
      ))}
      {choice(held.length, undefined)}
    </Section>
  );

  function of(condition: Condition) {
    const named = showIf[condition]!;
    const change = (value: string) => set({ ...showIf, [condition]: value });
    if (condition === 'filtered' || condition === 'notFiltered')
      return (
        <InlineSelect
          label={words.shown.field}
          value={named}
          options={[...new Set([...filters.map(({ field }) => field), named])].map(field => ({
            value: field,
            label: profiles?.of(field)?.label ?? field,
          }))}
          onChange={change}
        />
      );
    if (condition !== 'parameter')
      return (
        <InlineSelect
          label={words.shown.tile}
          value={named}
          options={[
            ...others.map(([other, one]) => ({ value: other, label: tileName(other, document, one, shown) })),
            ...(others.some(([other]) => other === named) ? [] : [{ value: named, label: named }]),
          ]}
          onChange={change}
        />
      );
    const parameter = parameters[named];
    const values = [showIf.is ?? []].flat();
    return (
      <>
        <InlineSelect
          label={words.shown.parameter}
          value={named}
          options={[...new Set([...names, named])].map(name => ({
            value: name,
            label: parameters[name]?.label ?? labelFrom(name),
          }))}
          onChange={name => set({ ...showIf, parameter: name, is: valueOf(parameters[name]!, undefined) })}
        />
        {parameter?.kind === 'number' ? (
          <NumberField
            label={words.shown.is}
            value={Number(values[0])}
            onChange={value => value !== undefined && set({ ...showIf, is: value })}
          />
        ) : null}
        {parameter && parameter.kind !== 'number'
          ? parameter.options.map(option => (
              <Checkbox
                key={option}
                isSelected={values.includes(option)}
                onChange={isOn => {
                  const next = isOn ? [...values, option] : values.filter(value => value !== option);
                  if (next.length > 0) set({ ...showIf, is: next.length === 1 ? next[0]! : next });
                }}
              >
                {parameterText(parameter, option, name => parameterLabel(models, name), locale)}
              </Checkbox>
            ))
          : null}
      </>
    );
  }
}

function without(showIf: ShowIf, condition: Condition): ShowIf {
  return Object.fromEntries(
    Object.entries(showIf).filter(
      ([key]) => key !== condition && (condition !== 'parameter' || key !== 'is'),
    ),
  );
}
