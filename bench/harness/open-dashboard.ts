import type { Page } from 'playwright-core';

/** Opens a dashboard and waits until each of its tiles shows its exact answer. */
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
}
