import type { BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { expectedFaults, type Driver, type Tab } from './driver.ts';

/** Chromium, by Playwright. */
export async function openChromium(): Promise<Driver> {
  const browser = await launchBrowser();
  const common: BrowserContextOptions = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' };
  const desktop = await browser.newContext(common);
  const openIn = async (
    context: typeof desktop,
    size: { readonly width: number; readonly height: number },
  ): Promise<Tab> => {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', message => void (message.type() === 'error' && faults.push(message.text())));
    page.on('pageerror', error => faults.push(String(error)));
    await page.setViewportSize(size);
    return {
      goto: async address => void (await page.goto(address)),
      back: async () => void (await page.goBack()),
      reload: async () => void (await page.reload()),
      evaluate: (run, ...args) =>
        page.evaluate(
          ([source, all]) =>
            (new Function(`return (${source})`)() as (...given: unknown[]) => never)(...(all as unknown[])),
          [String(run), args] as const,
        ),
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
        const session = await context.newCDPSession(page);
        const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', place?: readonly [number, number]) =>
          session.send('Input.dispatchTouchEvent', {
            type,
            touchPoints: place ? [{ x: place[0], y: place[1] }] : [],
          });
        await send('touchStart', first);
        await page.waitForTimeout(waitMs);
        for (const place of others) await send('touchMove', place);
        await send('touchEnd');
        await session.detach();
      },
      press: keys => page.keyboard.press(keys),
      type: text => page.keyboard.type(text),
      screenshot: () => page.screenshot(),
      faults: async () => faults.filter(text => !expectedFaults.test(text)),
      close: () => (context === desktop ? page.close() : context.close()),
    };
  };
  return {
    newTab: size => openIn(desktop, size),
    newPhone: async () =>
      openIn(
        await browser.newContext({
          ...common,
          hasTouch: true,
          isMobile: true,
          storageState: await desktop.storageState(),
        }),
        { width: 390, height: 844 },
      ),
    close: () => browser.close(),
  };
}
