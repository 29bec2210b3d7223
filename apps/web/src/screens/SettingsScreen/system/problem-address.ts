/**
 * The path of the screen on which a problem of the server is fixed: a file's editor or an imported table;
 * undefined without one.
 *
 * @param name a file's path in the workspace, or a table's name
 */
export function problemAddress(kind: string, name: string): string | undefined {
  if (kind === 'import') return `/data/files/${encodeURIComponent(name)}`;
  const [, folder, id] = /^(dashboards|models)\/(.+)\.ya?ml$/.exec(name) ?? [];
  if (folder === undefined || id === undefined) return undefined;
  return folder === 'models' ? `/models/${encodeURIComponent(id)}` : `/d/${encodeURIComponent(id)}/edit`;
}
