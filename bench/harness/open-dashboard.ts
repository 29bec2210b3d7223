import type { Page } from 'playwright-core';

/** Opens a dashboard and waits until each of its tiles shows its exact result on the screen. */
export async function openDashboard(page: Page, address: string, tiles: number): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(
    count => {
      const shown = [...document.querySelectorAll('[data-tile]')];
      return shown.length === count && shown.every(tile => tile.getAttribute('data-status') === 'fresh');
    },
    tiles,
    { timeout: 120_000 },
  );
  await painted(page);
}

/** Waits until the next frame is painted, since content is visible only then. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>(resolve => requestAnimationFrame(() => setTimeout(resolve))));
}
