import { darkTheme, lightTheme, type ChartTheme } from '@belvedere/chart';
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function current(): 'light' | 'dark' {
  return document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';
}

export function setTheme(theme: 'light' | 'dark'): void {
  document.documentElement.dataset['theme'] = theme;
  localStorage.setItem('belvedere-theme', theme);
  for (const listener of listeners) listener();
}

export function switchTheme(): void {
  setTheme(current() === 'dark' ? 'light' : 'dark');
}

export function useThemeName(): 'light' | 'dark' {
  return useSyncExternalStore(listener => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, current);
}

export function useChartTheme(): ChartTheme {
  return useThemeName() === 'dark' ? darkTheme : lightTheme;
}
