import { existsSync } from 'node:fs';
import { openChromium } from './chromium.ts';
import type { Driver } from './driver.ts';
import { openFirefox } from './firefox.ts';
import { openWebKit } from './webkit.ts';

export interface BrowserEngine {
  readonly name: 'Chromium' | 'Firefox' | 'WebKit';
  readonly open: () => Promise<Driver>;
}

const programs = (...variables: readonly string[]) => {
  const found = variables.map(variable => process.env[variable] ?? '');
  return found.every(file => existsSync(file)) ? found : undefined;
};

const firefox = programs('BELVEDERE_FIREFOX');
const webKit = programs('BELVEDERE_WEBKIT_DRIVER', 'BELVEDERE_WEBKIT', 'BELVEDERE_XVFB');

/**
 * The engines that this machine has (scripts/ensure-browser.mjs finds them and names those that are missing).
 */
export const browserEngines: readonly BrowserEngine[] = [
  { name: 'Chromium', open: openChromium },
  ...(firefox ? [{ name: 'Firefox' as const, open: () => openFirefox(firefox[0]!) }] : []),
  ...(webKit
    ? [
        {
          name: 'WebKit' as const,
          open: () => openWebKit({ driver: webKit[0]!, browser: webKit[1]!, xvfb: webKit[2]! }),
        },
      ]
    : []),
];
