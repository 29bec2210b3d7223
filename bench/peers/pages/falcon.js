import { tableFromArrays } from 'apache-arrow';
import { ArrowDB, FalconVis } from 'falcon-vis';
import { bars, column, offer } from './drive.js';

const [hour, delay, distance, carrier, day] = await Promise.all([column('hour', Uint8Array), column('delay', Int16Array), column('distance', Int16Array), column('carrier', Uint8Array), column('day', Uint16Array)]);
const falcon = new FalconVis(new ArrowDB(tableFromArrays({ hour, delay, distance, carrier, day })));
const view = async (name, range, bins) => {
  const draw = bars(name);
  const made = await falcon.view1D({ type: 'continuous', name, range, bins, resolution: 400 });
  made.onChange(({ filter }) => draw(Array.from(filter)));
  return made;
};
const views = [await view('delay', [-45, 135], 36), await view('hour', [0, 24], 24), await view('distance', [0, 2800], 28), await view('carrier', [0, 14], 14), await view('day', [0, 7000], 100)];
await falcon.link();
offer({
  span: [-45, 135],
  prepare: () => views[0].activate(),
  brush: (from, below) => views[0].select([from, below]),
});
