import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..', '.cache', 'screenshots');

/**
 * Whether screenshots are kept for review. `npm test` keeps none when it runs all tests: 330 pictures would take
 * a minute and a half of processor time, and nobody looks at them.
 */
export const keepsScreenshots = process.env['BELVEDERE_SCREENSHOTS'] !== 'none';

/**
 * Saves a screenshot for review in .cache/screenshots.
 * @param name its path there, without the extension
 */
export async function keepScreenshot(name: string, take: () => Promise<Uint8Array>): Promise<void> {
  if (!keepsScreenshots) return;
  const file = path.join(folder, `${name}.png`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await take());
}
