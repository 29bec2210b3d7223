import { tableFromArrays } from 'apache-arrow';
import { ArrowDB, FalconVis } from 'falcon-vis';
import { chart, column, offer } from './drive.js';

const [hour, delay, distance, carrier, day] = await Promise.all([
  column('hour', Uint8Array),
  column('delay', Int16Array),
  column('distance', Int16Array),
  column('carrier', Uint8Array),
  column('day', Uint16Array),
]);
const days = Number(new URLSearchParams(location.search).get('days'));
const falcon = new FalconVis(new ArrowDB(tableFromArrays({ hour, delay, distance, carrier, day })));
const view = async (name, range, bins) => {
  const { show, brush } = chart(name, range);
  const made = await falcon.view1D({ type: 'continuous', name, range, bins, resolution: 400 });
  made.onChange(({ filter }) => show(Array.from(filter)));
  return { made, brush };
};
const views = [
  await view('delay', [-45, 135], 36),
  await view('hour', [0, 24], 24),
  await view('distance', [0, 2800], 28),
  await view('carrier', [0, 14], 14),
  await view('day', [0, days], Math.ceil(days / 7)),
];
await falcon.link();
offer({
  span: [-45, 135],
  prepare: () => views[0].made.activate(),
  brush: (from, below) => {
    views[0].brush(from, below);
    return views[0].made.select([from, below]);
  },
});
