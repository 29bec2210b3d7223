/** Instead of a time zone on a dashboard: that of each viewer. */
export const viewersZone = 'viewer';

/**
 * Whether a text is an IANA time zone that this program knows, such as `Europe/Berlin`. Offsets such as `+02:00`
 * are none: PostgreSQL reads them with the opposite sign.
 */
export function isTimeZone(zone: string): boolean {
  if (/^[-+]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns the usual spelling of a time zone: there are as many as zones, while any letter may be a capital. */
export function spelledZone(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

/**
 * Returns the zone of a dashboard's times.
 * @param dashboard as its file has it
 * @param own that of its viewer
 */
export function zoneOf(dashboard: string | undefined, own: string, workspace: string): string {
  return dashboard === viewersZone ? own : (dashboard ?? workspace);
}
