import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ChannelAxis } from '../chart.ts';
import { accentStyles, contrast, withLook } from './theme-file.ts';
import { seriesOf } from '../marks/series.ts';
import { darkTheme, lightTheme } from './theme.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map(value => `#${value.toString(16).padStart(6, '0').toUpperCase()}`);
const themes = [
  ['light', lightTheme],
  ['dark', darkTheme],
] as const;
const carriers: ChannelAxis = {
  channel: 'color',
  kind: 'categories',
  field: 'carrier',
  values: ['AA', 'DL', 'UA', null],
  other: true,
};

describe.each(themes)('in the %s', (_, theme) => {
  test('marks have a contrast of 3:1 and texts of 4.5:1, whatever colours are set', () => {
    fc.assert(
      fc.property(colour, fc.array(colour, { minLength: 1, maxLength: 8 }), colour, (accent, series, own) => {
        const look = { accent, series, colours: { carrier: { AA: own } } };
        const made = withLook(theme, look);
        for (const shown of [made.accent, ...made.series, made.fixed!['carrier']!['AA']!])
          expect(contrast(shown, theme.surface)).toBeGreaterThanOrEqual(3);
        const styles = accentStyles(theme, look);
        expect(contrast(styles['--accent-text']!, styles['--accent-weak']!)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(styles['--on-accent']!, styles['--accent']!)).toBeGreaterThanOrEqual(4.5);
        for (const shown of made.sequential) expect(shown).toMatch(/^#[0-9A-F]{6}$/);
      }),
    );
  });

  test('highlighted cells and brushes have one colour, on the page and on paper', () => {
    const css = readFileSync(new URL('../../../ui/src/theme.css', import.meta.url), 'utf8');
    // The page's dark is what its style sheet says second.
    const styles = (name: string) =>
      [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6,8});`, 'g'))][
        theme === lightTheme ? 0 : 1
      ]![1]!.toUpperCase();
    for (const look of ['good', 'warn', 'bad'] as const)
      expect(theme.highlights[look]).toEqual({ fill: styles(`${look}-weak`), text: styles(look) });
    expect(theme.brush).toEqual({ fill: styles('brush'), edge: styles('brush-edge') });
    expect(theme.highlights.accent).toEqual({ fill: styles('accent-weak'), text: styles('accent-text') });
    for (const { fill, text } of Object.values(theme.highlights))
      expect(contrast(fill, text)).toBeGreaterThanOrEqual(4.5);
  });

  test('all texts of the interface can be read on all of its backgrounds', () => {
    const css = readFileSync(new URL('../../../ui/src/theme.css', import.meta.url), 'utf8');
    const color = (name: string) =>
      [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))][theme === lightTheme ? 0 : 1]![1]!;
    for (const text of ['text', 'text-2', 'text-3', 'accent-text', 'good', 'warn', 'bad'])
      for (const back of ['canvas', 'surface', 'raised', 'hover', 'accent-weak'])
        expect(contrast(color(text), color(back)), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
  });

  test('a colour with enough contrast stays unchanged', () => {
    const fine = theme === lightTheme ? '#0B7A5C' : '#4BCAA0';
    expect(withLook(theme, { accent: fine }).accent).toBe(fine);
  });

  test('a ramp goes from near the surface to far from it', () => {
    const { sequential } = withLook(theme, { accent: '#0B7A5C' });
    const steps = sequential.map(step => contrast(step, theme.surface));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });
});

test('a theme without settings is the default theme, and equal settings give an equal theme', () => {
  expect(withLook(lightTheme, {})).toBe(lightTheme);
  expect(withLook(lightTheme, { mode: 'dark' })).toBe(lightTheme);
  const look = { accent: '#0B7A5C' };
  expect(withLook(lightTheme, look)).toBe(withLook(lightTheme, look));
});

test('custom series colours come first, then the default ones, without duplicates', () => {
  const { series } = withLook(lightTheme, { series: ['#0B7A5C', lightTheme.series[1]!] });
  expect(series.slice(0, 3)).toEqual(['#0B7A5C', lightTheme.series[1], lightTheme.series[0]]);
  expect(new Set(series).size).toBe(8);
  // Our own green is too near to theirs to be the third.
  expect(withLook(lightTheme, { accent: '#0B7A5C' }).series).toEqual([
    '#0B7A5C',
    '#E2791A',
    '#AE197B',
    '#A779F2',
    '#716508',
    '#678EAA',
    '#712925',
    '#01A889',
  ]);
});

test('a value’s fixed colour applies everywhere, and no other value gets it', () => {
  const theme = withLook(lightTheme, {
    colours: { carrier: { UA: lightTheme.series[0]!, null: '#535C6C', constructor: '#000000' } },
  });
  const shown = Object.fromEntries(
    seriesOf(carriers, theme, 'en').map(({ label, colour: own }) => [label, own]),
  );
  expect(shown['UA']).toBe(lightTheme.series[0]);
  expect(shown['(null)']).toBe('#535C6C');
  expect(Object.values(shown).filter(own => own === lightTheme.series[0])).toHaveLength(1);
  expect(shown['Other']).toBe(lightTheme.other);
  const alone = seriesOf({ ...carriers, values: ['UA'], other: false } as ChannelAxis, theme, 'en');
  expect(alone.map(one => one.colour)).toEqual([lightTheme.series[0]]);
  expect(seriesOf({ ...carriers, field: 'other' } as ChannelAxis, theme, 'en')[0]!.colour).toBe(
    lightTheme.series[0],
  );
});
