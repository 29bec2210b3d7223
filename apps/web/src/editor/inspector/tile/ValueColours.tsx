import { seriesOf } from '@belvedere/chart';
import type { NamedAxis } from '@belvedere/api';
import type { ValueColours as Colours } from '@belvedere/document';
import { useSyncExternalStore } from 'react';
import { useChartTheme } from '../../../dashboard/chart/use-theme.ts';
import { locale } from '../../../messages/messages.ts';
import { setKey } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { words } from '../../messages/words.ts';
import { ColourField } from '../ColourField.tsx';
import { Section } from '../Section.tsx';

/** The colours of a field's values, the same on every tile of the dashboard. */
export function ValueColours({ id }: { readonly id: string }) {
  const { editor } = useEditing();
  const live = useEditor(editor, state => state.shown.live).tile(id);
  const view = useSyncExternalStore(live.onView, live.getView);
  const own = useEditor(editor, state => state.document.colours) ?? nothing;
  const theme = useChartTheme();
  const axis = (view.rows?.axes ?? view.base.main?.axes)?.find(
    (one): one is NamedAxis & { kind: 'categories' } => one.channel === 'color' && one.kind === 'categories',
  );
  if (!axis) return null;
  const shown = seriesOf(axis, theme, locale);
  const given = own[axis.field] ?? {};
  const set = (value: string, colour: string | undefined) => {
    const { [value]: _, ...others } = given;
    const next = colour === undefined ? others : { ...given, [value]: colour };
    const { [axis.field]: __, ...fields } = own;
    const isEmpty = Object.keys(next).length === 0;
    editor.apply(
      words.steps.theme,
      [
        isEmpty && Object.keys(fields).length === 0
          ? { kind: 'remove', path: ['colours'] }
          : setKey(['colours', axis.field], isEmpty ? undefined : next),
      ],
      `colour:${axis.field}:${value}`,
    );
  };
  return (
    <Section title={words.theme.values}>
      {axis.values.map((value, i) => (
        <ColourField
          key={String(value)}
          label={shown[i]!.label}
          colour={given[String(value)] ?? shown[i]!.colour}
          isOwn={Object.hasOwn(given, String(value))}
          onChange={colour => set(String(value), colour)}
        />
      ))}
    </Section>
  );
}

const nothing: Colours = {};
