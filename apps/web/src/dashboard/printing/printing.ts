import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { applyPrintTheme } from '../chart/use-theme.ts';

/**
 * How wide a page is laid out for paper, in CSS pixels: A4 lying down, within its margins (`@page` in the
 * style sheet).
 */
const paperWidth = 1047;
/** The padding of a tile, on both sides together. */
const tilePadding = 30;

let isPrinting = false;
const listeners = new Set<() => void>();

// Browsers lay the page out for paper once these listeners return, so everything must be drawn by then.
window.addEventListener('beforeprint', () => turn(true));
window.addEventListener('afterprint', () => turn(false));

function turn(isOn: boolean): void {
  isPrinting = isOn;
  flushSync(() => {
    applyPrintTheme(isOn);
    for (const listener of listeners) listener();
  });
}

/** Whether the page is being drawn for paper, without further frames. */
export const isForPaper = (): boolean => isPrinting;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

type Size = { readonly width: number; readonly height: number };

/** `isForPaper` as a hook, for parts that look different on paper. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, isForPaper);

/**
 * The size of a chart: on the screen as given, on paper the one that it will have there.
 * @param columns the number of the grid's 24 columns that its tile has, for screens too narrow for the grid
 */
export function useDrawnSize(onScreen: Size | undefined, columns: number): Size | undefined {
  const isOnPaper = useIsPrinting();
  if (!isOnPaper || !onScreen) return onScreen;
  const content = document.querySelector('[data-grid]')?.clientWidth ?? paperWidth;
  const share = window.innerWidth < 768 ? columns / 24 : (onScreen.width + tilePadding) / content;
  return { width: Math.round(share * paperWidth) - tilePadding, height: onScreen.height };
}
