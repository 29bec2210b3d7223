import type { ThemeFile } from '@belvedere/document';
import { Button, InlineSelect } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useChartTheme } from '../../../dashboard/chart/use-theme.ts';
import { setKey } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { words } from '../../messages/words.ts';
import { ColourField } from '../ColourField.tsx';
import { Section } from '../Section.tsx';

/** The theme of a dashboard: accent, series colours, and light or dark for users without a preference. */
export function ThemeSection() {
  const { editor } = useEditing();
  const own = useEditor(editor, state => state.document.theme) ?? nothing;
  const theme = useChartTheme();
  const set = (next: ThemeFile, joins: string) => {
    const kept = Object.fromEntries(
      Object.entries(next).filter(
        ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
      ),
    );
    editor.apply(
      words.steps.theme,
      [setKey(['theme'], Object.keys(kept).length > 0 ? kept : undefined)],
      `theme:${joins}`,
    );
  };
  const series = own.series ?? [];
  return (
    <Section title={words.theme.title}>
      <ColourField
        label={words.theme.accent}
        colour={own.accent ?? theme.accent}
        isOwn={own.accent !== undefined}
        onChange={accent => set({ ...own, accent }, 'accent')}
      />
      {series.map((colour, i) => (
        <ColourField
          key={i}
          label={words.theme.series(i + 1)}
          colour={colour}
          isOwn
          onChange={next =>
            set(
              {
                ...own,
                series: next === undefined ? series.filter((_, other) => other !== i) : series.with(i, next),
              },
              `series:${i}`,
            )
          }
        />
      ))}
      {series.length < 8 ? (
        <Button
          look="quiet"
          onPress={() => set({ ...own, series: [...series, theme.series[series.length]!] }, 'series')}
        >
          <Plus size={14} aria-hidden />
          {words.theme.addSeries}
        </Button>
      ) : null}
      <InlineSelect
        label={words.theme.mode}
        value={own.mode ?? ''}
        options={(['', 'light', 'dark'] as const).map(value => ({ value, label: words.theme.modes[value] }))}
        onChange={mode => set({ ...own, mode: mode === '' ? undefined : (mode as 'light') }, 'mode')}
      />
    </Section>
  );
}

const nothing: ThemeFile = {};
