import type { Locator, Page } from 'playwright-core';
import { quantile } from './running-server.ts';
import { traceScript } from './script-time.ts';

/** Display performance during a drag. */
export interface Dragged {
  /** Frames per second. */
  readonly fps: number;
  /** Time between two frames, ms. */
  readonly gapP50: number;
  readonly gapP95: number;
  /** Queries sent while the pointer moved. */
  readonly requests: number;
}

export interface Drag extends Dragged {
  /** Script time per drawn frame, ms of CPU: pointer events, React, drawing. */
  readonly workP50: number;
  readonly workP95: number;
  /** The longest task from the press to the effects of the release, ms. */
  readonly longestTask: number;
}

/** Drags over a tile (`dragAcross`) and traces the page. */
export async function dragOver(page: Page, tile: string, options: { settleMs: number }): Promise<Drag> {
  const surface = page.locator(`[data-tile=${tile}] [role=application]`);
  await surface.hover();
  // The index loads when the pointer enters.
  await page.waitForTimeout(options.settleMs);
  let dragged: Dragged | undefined;
  const { frames, longestTask } = await traceScript(page, async (begin, end) => {
    dragged = await dragAcross(page, surface, { begin, end });
    await page.waitForTimeout(500);
  });
  await page.keyboard.press('Escape');
  await page.waitForTimeout(500);
  return { ...dragged!, workP50: quantile(frames, 0.5), workP95: quantile(frames, 0.95), longestTask };
}

/**
 * Drags back and forth for about three seconds, as fast as a hand with a 60 Hz pointer, then releases.
 * Sends its steps directly to the browser: Playwright's own method runs a script in the page for each step,
 * half a millisecond of the measured time.
 * @param around called when the pressed pointer starts to move, and when it stops
 */
export async function dragAcross(
  page: Page,
  surface: Locator,
  around: { begin?: () => Promise<void>; end?: () => Promise<void> } = {},
): Promise<Dragged> {
  const box = (await surface.boundingBox())!;
  const [left, right] = [box.x + box.width * 0.25, box.x + box.width * 0.9];
  const protocol = await page.context().newCDPSession(page);
  const step = (x: number, y: number) =>
    protocol.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      x,
      y,
      button: 'left',
      buttons: 1,
      pointerType: 'mouse',
    });
  await page.mouse.move(left, box.y + box.height * 0.3);
  let requests = 0;
  const onRequest = () => void requests++;
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
  await around.begin?.();
  const began = performance.now();
  while (performance.now() - began < 3000) {
    const share = (1 - Math.cos((performance.now() - began) / 500)) / 2;
    const next = new Promise(resolve => setTimeout(resolve, 16));
    await step(left + 30 + (right - left - 30) * share, box.y + box.height * (0.3 + 0.3 * share));
    await next;
  }
  await around.end?.();
  page.off('request', onRequest);
  const times = await page.evaluate(() => {
    const { frames: noted } = window as unknown as { frames: { times: number[]; isOver: boolean } };
    noted.isOver = true;
    return noted.times;
  });
  await page.mouse.up();
  await protocol.detach();
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  return {
    fps: (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0),
    gapP50: quantile(gaps, 0.5),
    gapP95: quantile(gaps, 0.95),
    requests,
  };
}
