/**
 * Returns the dashboard and tile that the address of a frame names: `/embed/:dashboard` and
 * `/embed/:dashboard/tiles/:tile`. The slashes of a folder may stand as they are, or as `%2F`.
 */
export function embedAddress(pathname: string): { readonly dashboard: string; readonly tile?: string } {
  const [, dashboard = '', tile] = /^\/embed\/(.+?)(?:\/tiles\/([^/]+))?\/?$/.exec(pathname) ?? [];
  try {
    return {
      dashboard: decodeURIComponent(dashboard),
      ...(tile !== undefined && { tile: decodeURIComponent(tile) }),
    };
  } catch {
    return { dashboard: '' };
  }
}
