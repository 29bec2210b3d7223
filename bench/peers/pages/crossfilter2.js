import crossfilter from 'crossfilter2';
import { chart, column, offer } from './drive.js';

const [hour, delay, distance, carrier, day] = await Promise.all([
  column('hour', Uint8Array),
  column('delay', Int16Array),
  column('distance', Int16Array),
  column('carrier', Uint8Array),
  column('day', Uint16Array),
]);
const rows = crossfilter(Array.from({ length: hour.length }, (_, i) => i));
const linked = (title, values, bin, low, high) => {
  const dimension = rows.dimension(i => values[i]);
  const group = dimension.group(value => Math.min(high, Math.max(low, Math.floor(value / bin))));
  const { show, brush } = chart(title, [low * bin, (high + 1) * bin]);
  return { dimension, brush, update: () => show(group.all().map(({ value }) => value)) };
};
const charts = [
  linked('delay', delay, 5, -9, 26),
  linked('hour', hour, 1, 0, 23),
  linked('distance', distance, 100, 0, 27),
  linked('carrier', carrier, 1, 0, 13),
  linked('day', day, 7, 0, 1000),
];
for (const { update } of charts) update();
offer({
  span: [-45, 135],
  prepare: async () => {
    // It keeps no index, so the first brush is slower.
    charts[0].dimension.filterRange([0, 30]);
    for (const { update } of charts) update();
  },
  brush: (from, below) => {
    charts[0].dimension.filterRange([from, below]);
    charts[0].brush(from, below);
    for (const { update } of charts.slice(1)) update();
  },
});
