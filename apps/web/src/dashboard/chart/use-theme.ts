import { accentStyles, darkTheme, lightTheme, withLook, type ChartTheme } from '@belvedere/chart';
import type { Look } from '@belvedere/document';
import { useLayoutEffect, useSyncExternalStore } from 'react';

type ThemeName = 'light' | 'dark';

const listeners = new Set<() => void>();
const plain: Look = {};
/** The themes of the workspace and of the current dashboard. */
let [ofWorkspace, ofDashboard]: [Look, Look | undefined] = [plain, undefined];

let worn: readonly string[] = [];
/** The theme of the screen, kept while the page is drawn for paper. */
let onScreen: ThemeName | undefined;

const root = () => document.documentElement;
const current = (): ThemeName => (root().dataset['theme'] === 'dark' ? 'dark' : 'light');
const look = () => ofDashboard ?? ofWorkspace;
const chosen = () => localStorage.getItem('belvedere-theme');

function theme(): ChartTheme {
  return withLook(current() === 'dark' ? darkTheme : lightTheme, look());
}

/**
 * The page as its look has it: the accent in the style sheet's place, the mode unless the viewer has chosen
 * one.
 */
function show(): void {
  if (onScreen === undefined && chosen() === null && root().dataset['offline'] === undefined)
    root().dataset['theme'] =
      look().mode ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const styles = accentStyles(current() === 'dark' ? darkTheme : lightTheme, look());
  for (const name of worn) root().style.removeProperty(name);
  for (const [name, value] of Object.entries(styles)) root().style.setProperty(name, value);
  worn = Object.keys(styles);
  for (const listener of listeners) listener();
}

// Machines that are light by day and dark by night turn while a page is open.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);

/** Paper is always light. */
export function applyPrintTheme(isOn: boolean): void {
  if (isOn) onScreen ??= current();
  root().dataset['theme'] = isOn ? 'light' : (onScreen ?? current());
  if (!isOn) onScreen = undefined;
  show();
}

function setTheme(name: ThemeName): void {
  root().dataset['theme'] = name;
  localStorage.setItem('belvedere-theme', name);
  show();
}

/** Wears the theme that was chosen, or the machine's own. */
export function chooseTheme(name: ThemeName | undefined): void {
  if (name) return setTheme(name);
  localStorage.removeItem('belvedere-theme');
  show();
}

/** The theme that this browser's user has chosen; undefined for the machine's own. */
export function useThemeChoice(): ThemeName | undefined {
  const name = useSyncExternalStore(subscribe, chosen);
  return name === 'light' || name === 'dark' ? name : undefined;
}

export function switchTheme(): void {
  setTheme(current() === 'dark' ? 'light' : 'dark');
}

/** Applies the workspace's theme to everything without a theme of a dashboard. */
export function useWorkspaceTheme(wanted: Look | undefined): void {
  useLayoutEffect(() => {
    if (!wanted) return;
    ofWorkspace = wanted;
    show();
  }, [wanted]);
}

/** Applies a dashboard's theme while it is shown. */
export function useTableTheme(wanted: Look): void {
  useLayoutEffect(() => {
    ofDashboard = wanted;
    show();
    return () => {
      ofDashboard = undefined;
      show();
    };
  }, [wanted]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useThemeName = (): ThemeName => useSyncExternalStore(subscribe, current);
export const useChartTheme = (): ChartTheme => useSyncExternalStore(subscribe, theme);
