import type { Search } from '@belvedere/api';
import { useEffect } from 'react';

const usualSeconds = 30;

/**
 * The seconds for which each page is shown in kiosk mode: `?kiosk`, `?kiosk=15`. Undefined outside of kiosk
 * mode.
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
 * In pixels: a figure with its title and comparison, and the gap below. Charts shrink as far as necessary.
 */
const minFigurePx = 108;
const minRowPx = 8;

/** The CSS rows of a page that fills the screen. They share its height, but figures stay readable. */
export function kioskRows(
  tiles: readonly {
    readonly isFigure: boolean;
    readonly at: readonly [x: number, y: number, width: number, height: number];
  }[],
): string {
  const minHeights = Array.from(
    { length: Math.max(0, ...tiles.map(({ at: [, y, , height] }) => y + height)) },
    () => minRowPx,
  );
  for (const {
    isFigure,
    at: [, y, , height],
  } of tiles)
    for (let row = y; isFigure && row < y + height; row++)
      minHeights[row] = Math.max(minHeights[row]!, Math.ceil(minFigurePx / height));
  return minHeights.map(px => `minmax(${px}px,1fr)`).join(' ');
}

/**
 * Shows the pages in turn, and keeps the screen on. A touch pauses it for as long as a page is shown.
 * @param turn undefined if there is one page
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
