import type { Page } from 'playwright-core';
import { quantile } from './running-server.ts';

export interface Drag {
  /** Frames a second that the display showed. */
  readonly fps: number;
  /** Between two frames, ms. */
  readonly gapP50: number;
  readonly gapP95: number;
  /** Our own script for each of them, ms: following the pointer and drawing. */
  readonly workP50: number;
  readonly workP95: number;
  /** Questions the page sent while the pointer moved. */
  readonly requests: number;
}

/** Drags back and forth over a tile for some three seconds, as fast as a hand with a 60 Hz pointer. */
export async function dragOver(page: Page, tile: string, options: { settleMs: number }): Promise<Drag> {
  const surface = page.locator(`[data-tile=${tile}] [role=application]`);
  await surface.hover();
  // The index is fetched when the pointer enters.
  await page.waitForTimeout(options.settleMs);
  const box = (await surface.boundingBox())!;
  const [left, right] = [box.x + box.width * 0.25, box.x + box.width * 0.9];
  await page.mouse.move(left, box.y + box.height * 0.3);
  await page.mouse.down();
  await page.mouse.move(left + 30, box.y + box.height * 0.3);
  await page.evaluate(() => {
    performance.clearMeasures();
    const times: number[] = [];
    (window as unknown as { frameTimes: number[] }).frameTimes = times;
    const tick = (time: number) => {
      times.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  let requests = 0;
  const onRequest = () => void requests++;
  page.on('request', onRequest);
  const began = performance.now();
  while (performance.now() - began < 3000) {
    const share = (1 - Math.cos((performance.now() - began) / 500)) / 2;
    await page.mouse.move(left + 30 + (right - left - 30) * share, box.y + box.height * (0.3 + 0.3 * share));
    await page.waitForTimeout(10);
  }
  page.off('request', onRequest);
  const measured = await page.evaluate(() => {
    const { frameTimes } = window as unknown as { frameTimes: number[] };
    const durations = (name: string) => performance.getEntriesByName(name).map(entry => [entry.startTime, entry.duration] as const);
    return { times: frameTimes, draws: durations('belvedere:frame'), brushes: durations('belvedere:brush') };
  });
  await page.mouse.up();
  await page.keyboard.press('Escape');
  await page.waitForTimeout(500);
  const gaps = measured.times.slice(1).map((time, i) => time - measured.times[i]!);
  const work = measured.draws.map(([at, draw]) => draw + measured.brushes.filter(([when]) => when <= at && when > at - 17).reduce((sum, [, brush]) => sum + brush, 0));
  return { fps: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0), gapP50: quantile(gaps, 0.5), gapP95: quantile(gaps, 0.95), workP50: quantile(work, 0.5), workP95: quantile(work, 0.95), requests };
}
