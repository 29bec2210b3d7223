import puppeteer, { type KeyInput, type Page } from 'puppeteer-core';
import { expectedFaults, type Driver, type Size, type Tab } from './driver.ts';

/** Firefox, by Puppeteer over WebDriver BiDi. */
export async function openFirefox(executablePath: string): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    protocolTimeout: 120_000,
    env: { ...process.env, TZ: 'UTC' },
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-US',
      'ui.prefersReducedMotion': 1,
      'dom.w3c_touch_events.enabled': 1,
      'layout.css.devPixelsPerPx': '1',
      'datareporting.policy.dataSubmissionEnabled': false,
      'browser.safebrowsing.blockedURIs.enabled': false,
      'network.captive-portal-service.enabled': false,
    },
  });
  const openTab = async (size: Size): Promise<Tab> => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', message => void (message.type() === 'error' && faults.push(message.text())));
    page.on('pageerror', error => faults.push(String(error)));
    await page.setViewport(size);
    return {
      goto: async address => void (await page.goto(address)),
      back: async () => void (await page.goBack()),
      reload: async () => void (await page.reload()),
      evaluate: (run, ...args) => page.evaluate(run as never, ...args) as Promise<never>,
      drag: async ([first, ...others], { isHeld = false } = {}) => {
        await page.mouse.move(...first!);
        await page.mouse.down();
        for (const place of others) await page.mouse.move(...place);
        if (!isHeld) await page.mouse.up();
      },
      move: async places => {
        for (const place of places) await page.mouse.move(...place);
      },
      lift: () => page.mouse.up(),
      touch: async ([first, ...others], { waitMs = 0 } = {}) => {
        await page.touchscreen.touchStart(...first!);
        await new Promise(resolve => setTimeout(resolve, waitMs));
        for (const place of others) await page.touchscreen.touchMove(...place);
        await page.touchscreen.touchEnd();
      },
      press: keys => pressTogether(page, keys),
      type: text => page.keyboard.type(text),
      screenshot: async () => Buffer.from(await page.screenshot()),
      faults: async () => faults.filter(text => !expectedFaults.test(text)),
      close: () => page.close(),
    };
  };
  return {
    newTab: openTab,
    newPhone: () => openTab({ width: 390, height: 844 }),
    close: () => browser.close(),
  };
}

async function pressTogether(page: Page, keys: string): Promise<void> {
  const all = keys.split('+') as KeyInput[];
  for (const key of all) await page.keyboard.down(key);
  for (const key of all.toReversed()) await page.keyboard.up(key);
}
