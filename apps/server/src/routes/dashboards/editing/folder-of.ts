/** Returns the folder of a dashboard, which is empty at the top. */
export function folderOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}
