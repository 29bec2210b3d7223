import perspective from '@perspective-dev/client/inline';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { bars, column, offer } from './drive.js';

const [hour, delay, distance, carrier, day] = await Promise.all([column('hour', Uint8Array), column('delay', Int16Array), column('distance', Int16Array), column('carrier', Uint8Array), column('day', Uint16Array)]);
// Bins are columns: worked out anew for each view they would be most of its time.
const binned = (values, bin, low, high) => Int16Array.from(values, value => Math.min(high, Math.max(low, Math.floor(value / bin))));
const worker = await perspective.worker();
const table = await worker.table(tableToIPC(tableFromArrays({ delay, hour, carrier, delays: binned(delay, 5, -9, 27), distances: binned(distance, 100, 0, 28), weeks: binned(day, 7, 0, 1000) }), 'stream').buffer);
const chart = (title, by) => {
  const draw = bars(title);
  return async filter => {
    const view = await table.view({ group_by: [by], columns: ['delay'], aggregates: { delay: 'count' }, filter });
    const { delay: counts } = await view.to_columns();
    await view.delete();
    // The first row is the total.
    draw(counts.slice(1));
  };
};
const charts = [chart('delay', 'delays'), chart('hour', 'hour'), chart('distance', 'distances'), chart('carrier', 'carrier'), chart('day', 'weeks')];
for (const update of charts) await update([]);
const brush = async (from, below) => {
  await Promise.all(charts.slice(1).map(update => update([['delay', '>=', from], ['delay', '<', below]])));
};
// It keeps no index: the first brush pays.
offer({ span: [-45, 135], prepare: () => brush(0, 30), brush });
