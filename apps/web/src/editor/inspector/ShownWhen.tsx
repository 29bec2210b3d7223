import { sayParameter } from '@belvedere/chart';
import { labelFrom, valueOf, type ShowIf, type Tile } from '@belvedere/document';
import { Checkbox, Choice } from '@belvedere/ui';
import { parameterLabel } from '../../dashboard/describe.ts';
import { locale } from '../../messages/messages.ts';
import { setKey, tilePath, tilesOf } from '../commands.ts';
import { useEditing, useEditor } from '../editing.ts';
import { tileName } from '../EditableTile.tsx';
import type { ModelFacts } from '../facts.ts';
import { words } from '../messages/words.ts';
import { NumberField } from './WellField.tsx';

type Condition = 'always' | 'parameter' | 'filtered' | 'notFiltered' | 'selected' | 'notSelected';

interface ShownWhenProps {
  readonly id: string;
  readonly tile: Tile;
  readonly facts: ModelFacts | undefined;
}

/** When a tile is shown: always, or under one condition. Several at once are for the text. */
export function ShownWhen({ id, tile, facts }: ShownWhenProps) {
  const { editor, models } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const shown = useEditor(editor, state => state.shown);
  const { parameters = {}, filters = [] } = document;
  const others = Object.entries(tilesOf(document, page)).filter(([other, { kind }]) => other !== id && !['kpi', 'gauge', 'text', 'image', 'control'].includes(kind));
  const { showIf = {} } = tile;
  const how: Condition = (['parameter', 'filtered', 'notFiltered', 'selected', 'notSelected'] as const).find(key => showIf[key] !== undefined) ?? 'always';
  const set = (next: ShowIf | undefined) => editor.apply(words.steps.setting, [setKey([...tilePath(page, id), 'showIf'], next)], `showIf:${id}`);
  const names = Object.keys(parameters);
  const beginning = (condition: Condition): ShowIf | undefined => {
    if (condition === 'always') return undefined;
    if (condition === 'parameter') return { parameter: names[0], is: valueOf(parameters[names[0]!]!, undefined) };
    return { [condition]: condition === 'filtered' || condition === 'notFiltered' ? filters[0]!.field : others[0]![0] };
  };
  const possible: readonly Condition[] = ['always', ...(names.length > 0 ? ['parameter' as const] : []), ...(filters.length > 0 ? ['filtered' as const, 'notFiltered' as const] : []), ...(others.length > 0 ? ['selected' as const, 'notSelected' as const] : [])];
  const parameter = showIf.parameter === undefined ? undefined : parameters[showIf.parameter];
  const values = [showIf.is ?? []].flat();
  return (
    <>
      <Choice label={words.shown.label} value={how} options={[...new Set([...possible, how])].map(value => ({ value, label: words.shown.when[value] }))} onChange={next => set(beginning(next as Condition))} />
      {how === 'parameter' ? <Choice label={words.shown.parameter} value={showIf.parameter!} options={[...new Set([...names, showIf.parameter!])].map(name => ({ value: name, label: parameters[name]?.label ?? labelFrom(name) }))} onChange={name => set({ parameter: name, is: valueOf(parameters[name]!, undefined) })} /> : null}
      {parameter?.kind === 'number' ? <NumberField label={words.shown.is} value={Number(values[0])} onChange={value => value !== undefined && set({ ...showIf, is: value })} /> : null}
      {parameter && parameter.kind !== 'number' ? parameter.options.map(option => (
        <Checkbox key={option} isSelected={values.includes(option)} onChange={isOn => {
          const next = isOn ? [...values, option] : values.filter(value => value !== option);
          if (next.length > 0) set({ ...showIf, is: next.length === 1 ? next[0]! : next });
        }}>{sayParameter(parameter, option, name => parameterLabel(models, name), locale)}</Checkbox>
      )) : null}
      {how === 'filtered' || how === 'notFiltered' ? <Choice label={words.shown.field} value={showIf[how]!} options={[...new Set([...filters.map(({ field }) => field), showIf[how]!])].map(field => ({ value: field, label: facts?.of(field)?.label ?? field }))} onChange={field => set({ [how]: field })} /> : null}
      {how === 'selected' || how === 'notSelected' ? <Choice label={words.shown.tile} value={showIf[how]!} options={[...others.map(([other, one]) => ({ value: other, label: tileName(other, document, one, shown) })), ...(others.some(([other]) => other === showIf[how]) ? [] : [{ value: showIf[how]!, label: showIf[how]! }])]} onChange={other => set({ [how]: other })} /> : null}
    </>
  );
}
