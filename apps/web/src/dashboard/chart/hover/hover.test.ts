import type { RowsHeader } from '@belvedere/api';
import { drawChart, lightTheme, type Panel } from '@belvedere/chart';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { dataset: { locale: 'en-US' } } });
const { hoverPoint } = await import('./hover.ts');

const bins = { kind: 'bins', origin: 0, count: 10 } as const;
const chart = drawChart({
  tile: { kind: 'scatter', x: { field: 'depth' }, y: { field: 'share' } },
  axes: [
    { ...bins, channel: 'x', field: 'depth', step: 70 },
    { ...bins, channel: 'y', field: 'share', step: 0.1 },
  ],
  measures: [],
  base: new Float64Array(),
  points: [],
  size: { width: 300, height: 200 },
  theme: lightTheme,
  locale: 'en',
});
const panel: Panel = { chart, x: 0, y: 0, width: 300, height: 200, label: '', valuesOf: values => values };

test('the tooltip of a point says its place by the format of its field, else to what its axis tells apart', () => {
  const lines = (format?: string) =>
    hoverPoint(panel, { index: 0, x: 12.3456789, y: 0.1 + 0.2, colour: 0 }, {
      kind: 'rows',
      columns: [
        { name: 'depth', label: 'Depth', type: 'number', ...(format && { format }) },
        { name: 'share', label: 'Share', type: 'number' },
      ],
      rows: [[12.3456789, 0.1 + 0.2]],
    } as unknown as RowsHeader).rows;
  expect(lines()).toEqual([
    { label: 'Depth', value: '12.3' },
    { label: 'Share', value: '0.3' },
  ]);
  expect(lines('.2f')[0]).toEqual({ label: 'Depth', value: '12.35' });
});
