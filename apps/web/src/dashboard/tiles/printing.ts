import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { applyPrintTheme } from '../chart/use-theme.ts';

/**
 * How wide a page is laid out for paper, in CSS pixels: A4 lying down, within its margins (`@page` in the
 * style sheet).
 */
const paperWidth = 1047;
/** What lies between a tile's edge and its chart, on both sides together. */
const tilePadding = 30;

let isPrinting = false;
const listeners = new Set<() => void>();

// The browser lays the page out for paper as soon as these have been heard: what is to be on it has to be
// drawn when they return.
window.addEventListener('beforeprint', () => turn(true));
window.addEventListener('afterprint', () => turn(false));

function turn(isOn: boolean): void {
  isPrinting = isOn;
  flushSync(() => {
    applyPrintTheme(isOn);
    for (const listener of listeners) listener();
  });
}

/** Whether what is drawn now is drawn for paper: there is no next frame to wait for. */
export const isForPaper = (): boolean => isPrinting;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

type Size = { readonly width: number; readonly height: number };

/** As `isForPaper`, for what is drawn otherwise then. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, isForPaper);

/**
 * The size that a chart has where it is drawn now: on the screen as given, on paper the one it will have
 * there.
 * @param columns how many of the grid's 24 columns its tile has, for screens too narrow to have the grid
 */
export function useDrawnSize(onScreen: Size | undefined, columns: number): Size | undefined {
  const isOnPaper = useIsPrinting();
  if (!isOnPaper || !onScreen) return onScreen;
  const content = document.querySelector('[data-grid]')?.clientWidth ?? paperWidth;
  const share = window.innerWidth < 768 ? columns / 24 : (onScreen.width + tilePadding) / content;
  return { width: Math.round(share * paperWidth) - tilePadding, height: onScreen.height };
}
