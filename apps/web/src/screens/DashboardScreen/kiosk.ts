import type { Search } from '@belvedere/api';
import { useEffect } from 'react';

const usualSeconds = 30;

/**
 * How long each page stays on a screen that hangs on a wall, s: `?kiosk`, `?kiosk=15`. Undefined where the
 * address asks for no such thing.
 */
export function kioskSeconds(search: Search): number | undefined {
  const requested = search['kiosk'];
  if (requested === undefined) return undefined;
  const seconds = Number(requested);
  return requested.trim() === '' || !Number.isFinite(seconds)
    ? usualSeconds
    : Math.min(3600, Math.max(5, seconds));
}

/**
 * Px: a figure with its title and what it is compared with, and the gap below it. Charts are drawn as low as
 * they must be.
 */
const leastFigure = 108;
const leastRow = 8;

/**
 * The rows of a page that is as high as the screen, as CSS has it: they share its height, but none takes away
 * what a figure needs to be read.
 */
export function rowsOnWall(
  tiles: readonly {
    readonly isFigure: boolean;
    readonly at: readonly [x: number, y: number, width: number, height: number];
  }[],
): string {
  const least = Array.from(
    { length: Math.max(0, ...tiles.map(({ at: [, y, , height] }) => y + height)) },
    () => leastRow,
  );
  for (const {
    isFigure,
    at: [, y, , height],
  } of tiles)
    for (let row = y; isFigure && row < y + height; row++)
      least[row] = Math.max(least[row]!, Math.ceil(leastFigure / height));
  return least.map(px => `minmax(${px}px,1fr)`).join(' ');
}

/**
 * Turns the pages, and keeps the screen on. A touch stops it until the screen has been left alone for as long.
 * @param turn none where there is one page
 */
export function useKiosk(seconds: number | undefined, turn: (() => void) | undefined): void {
  useEffect(() => {
    if (seconds === undefined || !turn) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => (turn(), wait()), seconds * 1000);
    };
    const touches = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const touch of touches) addEventListener(touch, wait, { passive: true, capture: true });
    wait();
    return () => {
      clearTimeout(timer);
      for (const touch of touches) removeEventListener(touch, wait, { capture: true });
    };
  }, [seconds, turn]);

  const isOn = seconds !== undefined;
  useEffect(() => {
    if (!isOn) return undefined;
    let lock: WakeLockSentinel | undefined;
    // A screen that was away has lost it.
    const keepOn = () => {
      if (document.visibilityState === 'visible')
        void navigator.wakeLock
          ?.request('screen')
          .then(granted => (lock = granted))
          .catch(() => {});
    };
    keepOn();
    document.addEventListener('visibilitychange', keepOn);
    return () => {
      document.removeEventListener('visibilitychange', keepOn);
      void lock?.release();
    };
  }, [isOn]);
}
