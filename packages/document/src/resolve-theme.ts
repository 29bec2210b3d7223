import type { Look, ThemeFile, ValueColours } from './schema/theme-file.ts';

/** A document with theme settings. */
interface Looked {
  readonly theme?: ThemeFile | undefined;
  readonly colours?: ValueColours | undefined;
}

/** Returns a dashboard's theme: the workspace's, overridden by the dashboard's own. */
export function resolveTheme(workspace: Looked, dashboard: Looked = {}): Look {
  const fields = new Set([...Object.keys(workspace.colours ?? {}), ...Object.keys(dashboard.colours ?? {})]);
  const colours = Object.fromEntries(
    [...fields].map(field => [field, { ...workspace.colours?.[field], ...dashboard.colours?.[field] }]),
  );
  return { ...workspace.theme, ...dashboard.theme, ...(fields.size > 0 && { colours }) };
}
