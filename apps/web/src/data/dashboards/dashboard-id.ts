/** The address of a dashboard that is called so; nothing where the name has no letter and no digit. */
export function dashboardIdFrom(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}
