import { expect, test } from 'vitest';
import type { ChartInput } from '../chart.ts';
import { drawChart } from '../draw-chart.ts';
import { flatten } from '../scene.ts';
import { summarize } from '../text/summary.ts';
import { lightTheme } from '../theme/theme.ts';
import { loadMarks } from '../lazy-marks.ts';

const measure = { label: 'Revenue', isAdditive: true };
const input = (base: readonly number[], filtered?: readonly number[]): ChartInput => ({
  tile: { kind: 'gauge', value: { measure: 'revenue' }, target: { measure: 'budget' } },
  axes: [],
  measures: [measure, { ...measure, label: 'Budget' }],
  base: Float64Array.from(base),
  ...(filtered && { filtered: Float64Array.from(filtered) }),
  size: { width: 240, height: 200 },
  theme: lightTheme,
  locale: 'en-US',
});

async function textsOf(chartInput: ChartInput): Promise<string[]> {
  await loadMarks('gauge');
  const chart = drawChart(chartInput);
  const marks = [...chart.guides, ...chart.marks(chartInput.filtered ?? chartInput.base, {})];
  return flatten(marks).flatMap(({ mark }) => (mark.kind === 'text' ? [mark.text] : []));
}

test('a gauge draws the target that its query returned, on a scale with room for it', async () => {
  expect(await textsOf(input([40, 80]))).toEqual(['0', '100', '✗ Target 80', '40']);
});

test('its target follows a selection, and the scale stays', async () => {
  expect(await textsOf(input([40, 80], [10, 5]))).toEqual(['0', '100', '✓ Target 5', '10']);
  expect(summarize(input([40, 80], [10, 5]))).toContain('200% of 5, target met.');
});

test('a target without a value is not drawn', async () => {
  expect(await textsOf(input([40, Number.NaN]))).toEqual(['0', '50', '40']);
});

test.each([80, 110, 140, 200, 320, 500])(
  'a gauge %d pixels high has room for the ends of its scale',
  async height => {
    await loadMarks('gauge');
    const { guides } = drawChart({ ...input([80, 100]), size: { width: 400, height } });
    // Letters reach 3 pixels below their line.
    const bottoms = flatten(guides).flatMap(({ mark, y }) => (mark.kind === 'text' ? [y + mark.y + 3] : []));
    expect(bottoms).toHaveLength(2);
    for (const bottom of bottoms) expect(bottom).toBeLessThanOrEqual(height);
  },
);
