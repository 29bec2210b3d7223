import type { Look, ThemeFile, ValueColours } from './schema/theme-file.ts';

/** What says how things look. */
interface Looked {
  readonly theme?: ThemeFile | undefined;
  readonly colours?: ValueColours | undefined;
}

/** How a dashboard looks: as its workspace does, but for what it says itself. */
export function resolveTheme(workspace: Looked, dashboard: Looked = {}): Look {
  const fields = new Set([...Object.keys(workspace.colours ?? {}), ...Object.keys(dashboard.colours ?? {})]);
  const colours = Object.fromEntries(
    [...fields].map(field => [field, { ...workspace.colours?.[field], ...dashboard.colours?.[field] }]),
  );
  return { ...workspace.theme, ...dashboard.theme, ...(fields.size > 0 && { colours }) };
}
