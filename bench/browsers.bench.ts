// Brushing in each engine: frames per second, and the work per frame. `size` uses Chromium's own trace; here
// all engines are measured by what they report to a page, so that they can be compared.
import type { Tab } from '../e2e/browsers/driver.ts';
import { browserEngines } from '../e2e/browsers/engines.ts';
import { Screen } from '../e2e/browsers/screen.ts';
import { report, type Figure } from './harness/figures.ts';
import { flightsAtSize } from './harness/flights-at-size.ts';
import { quantile, startOn } from './harness/running-server.ts';

const rows = Number(process.argv.slice(2).find(word => /^[\d.e]+$/.test(word)) ?? 3e6);
const figures: Figure[] = [];
const folder = await flightsAtSize(rows);

for (const { name, open } of browserEngines) {
  const { server } = await startOn(folder, { signIn: false });
  const driver = await open();
  const tab = await driver.newTab({ width: 1440, height: 1000 });
  const screen = new Screen(tab);
  await tab.goto(server.openAddress);
  await screen.open(`${server.address}/d/bench`);
  for (const tile of ['days', 'delays']) {
    const { fps, script, toNextTask } = await dragOver(tab, screen, tile);
    figures.push(
      {
        name: `${name}, dragging on ${tile}: frames a second`,
        value: fps,
        unit: 'fps',
        target: '≥ 55',
        peer: { name: 'the display', value: 60 },
      },
      { name: `${name}, dragging on ${tile}: script in a frame, p95`, value: script, unit: 'ms' },
      {
        name: `${name}, dragging on ${tile}: from a frame’s script to the next task, p95`,
        value: toNextTask,
        unit: 'ms',
      },
    );
  }
  await driver.close();
  await server.close();
}
await report('browsers', figures);
process.exit(0);

interface Noted {
  readonly times: number[];
  readonly script: number[];
  readonly toNextTask: number[];
  isOver: boolean;
}

/** Drags back and forth over a tile for about three seconds. */
async function dragOver(
  tab: Tab,
  screen: Screen,
  tile: string,
): Promise<{ fps: number; script: number; toNextTask: number }> {
  const surface = `[data-tile=${tile}] [role=application]`;
  const places = await screen.along(surface, [0.25, 0.4], [0.9, 0.6]);
  await tab.move([places[0]!]);
  // The index loads when the pointer enters.
  await new Promise(resolve => setTimeout(resolve, 1000 + rows / 4e4));
  await tab.drag(places.slice(0, 2), { isHeld: true });
  await tab.evaluate(() => {
    const noted: Noted = { times: [], script: [], toNextTask: [], isOver: false };
    (globalThis as unknown as { noted: Noted }).noted = noted;
    const ask = window.requestAnimationFrame.bind(window);
    const channel = new MessageChannel();
    let ended = 0;
    channel.port1.onmessage = () => noted.toNextTask.push(performance.now() - ended);
    window.requestAnimationFrame = callback =>
      ask(time => {
        const began = performance.now();
        callback(time);
        ended = performance.now();
        noted.script.push(ended - began);
        channel.port2.postMessage(0);
      });
    const tick = (time: number) => {
      noted.times.push(time);
      if (!noted.isOver) ask(tick);
    };
    ask(tick);
  });
  const began = performance.now();
  while (performance.now() - began < 3000) {
    const share = (1 - Math.cos((performance.now() - began) / 500)) / 2;
    const next = new Promise(resolve => setTimeout(resolve, 16));
    const [first, last] = [places[1]!, places.at(-1)!];
    await tab.move([[first[0] + (last[0] - first[0]) * share, first[1] + (last[1] - first[1]) * share]]);
    await next;
  }
  const noted = await tab.evaluate(() => {
    const { noted: all } = globalThis as unknown as { noted: Noted };
    all.isOver = true;
    return all;
  });
  await tab.lift();
  await tab.press('Escape');
  const gaps = noted.times.slice(1).map((time, i) => time - noted.times[i]!);
  return {
    fps: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0),
    script: quantile(noted.script, 0.95),
    toNextTask: quantile(noted.toNextTask, 0.95),
  };
}
