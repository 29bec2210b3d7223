import type { Page } from 'playwright-core';
import { quantile } from './running-server.ts';
import { traceScript } from './script-time.ts';

export interface Drag {
  /** Frames a second that the display showed. */
  readonly fps: number;
  /** Between two frames, ms. */
  readonly gapP50: number;
  readonly gapP95: number;
  /** All of the page's script for each picture drawn, ms of the processor: following the pointer, React, drawing. */
  readonly workP50: number;
  readonly workP95: number;
  /** The longest the page was held up from the press to what follows the release, ms. */
  readonly longestTask: number;
  /** Questions the page sent while the pointer moved. */
  readonly requests: number;
}

/**
 * Drags back and forth over a tile for some three seconds, as fast as a hand with a 60 Hz pointer. Steps are told to the browser itself: Playwright's
 * own way has a script in the page for each, half a millisecond of what is measured here.
 */
export async function dragOver(page: Page, tile: string, options: { settleMs: number }): Promise<Drag> {
  const surface = page.locator(`[data-tile=${tile}] [role=application]`);
  await surface.hover();
  // The index is fetched when the pointer enters.
  await page.waitForTimeout(options.settleMs);
  const box = (await surface.boundingBox())!;
  const [left, right] = [box.x + box.width * 0.25, box.x + box.width * 0.9];
  const protocol = await page.context().newCDPSession(page);
  const step = (x: number, y: number) => protocol.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'left', buttons: 1, pointerType: 'mouse' });
  await page.mouse.move(left, box.y + box.height * 0.3);
  let requests = 0;
  let times: number[] = [];
  const onRequest = () => void requests++;
  const { frames, longestTask } = await traceScript(page, async (begin, end) => {
    await page.mouse.down();
    await step(left + 30, box.y + box.height * 0.3);
    await page.evaluate(() => {
      const shown: number[] = [];
      const noting = { times: shown, isOver: false };
      (window as unknown as { frames: typeof noting }).frames = noting;
      const tick = (time: number) => {
        shown.push(time);
        if (!noting.isOver) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    page.on('request', onRequest);
    await begin();
    const began = performance.now();
    while (performance.now() - began < 3000) {
      const share = (1 - Math.cos((performance.now() - began) / 500)) / 2;
      const next = new Promise(resolve => setTimeout(resolve, 16));
      await step(left + 30 + (right - left - 30) * share, box.y + box.height * (0.3 + 0.3 * share));
      await next;
    }
    await end();
    page.off('request', onRequest);
    times = await page.evaluate(() => {
      const { frames: noted } = window as unknown as { frames: { times: number[]; isOver: boolean } };
      noted.isOver = true;
      return noted.times;
    });
    await page.mouse.up();
    await page.waitForTimeout(500);
  });
  await protocol.detach();
  await page.keyboard.press('Escape');
  await page.waitForTimeout(500);
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  return { fps: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0), gapP50: quantile(gaps, 0.5), gapP95: quantile(gaps, 0.95), workP50: quantile(frames, 0.5), workP95: quantile(frames, 0.95), longestTask, requests };
}
