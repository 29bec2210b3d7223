import perspective from '@perspective-dev/client/inline';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { chart, column, offer } from './drive.js';

const [hour, delay, distance, carrier, day] = await Promise.all([
  column('hour', Uint8Array),
  column('delay', Int16Array),
  column('distance', Int16Array),
  column('carrier', Uint8Array),
  column('day', Uint16Array),
]);
// Bins are columns: recalculating them for each view would take most of its time.
const binned = (values, bin, low, high) =>
  Int16Array.from(values, value => Math.min(high, Math.max(low, Math.floor(value / bin))));
const worker = await perspective.worker();
const table = await worker.table(
  tableToIPC(
    tableFromArrays({
      delay,
      hour,
      carrier,
      delays: binned(delay, 5, -9, 27),
      distances: binned(distance, 100, 0, 28),
      weeks: binned(day, 7, 0, 1000),
    }),
    'stream',
  ).buffer,
);
const linked = (title, by, span) => {
  const { show, brush } = chart(title, span);
  const update = async filter => {
    const view = await table.view({
      group_by: [by],
      columns: ['delay'],
      aggregates: { delay: 'count' },
      filter,
    });
    const { delay: counts } = await view.to_columns();
    await view.delete();
    // The first row is the total.
    show(counts.slice(1));
  };
  return { brush, update };
};
const charts = [
  linked('delay', 'delays', [-45, 140]),
  linked('hour', 'hour', [0, 24]),
  linked('distance', 'distances', [0, 2900]),
  linked('carrier', 'carrier', [0, 14]),
  linked('day', 'weeks', [0, 7000]),
];
for (const { update } of charts) await update([]);
const brush = async (from, below) => {
  charts[0].brush(from, below);
  await Promise.all(
    charts.slice(1).map(({ update }) =>
      update([
        ['delay', '>=', from],
        ['delay', '<', below],
      ]),
    ),
  );
};
// It keeps no index, so the first brush is slower.
offer({ span: [-45, 135], prepare: () => brush(0, 30), brush });
