const prefix = 'group:';

/** The name under which a member of a group is viewed as, in `as`: `group:Sales`. */
export const viewedGroup = (group: string): string => `${prefix}${group}`;

/** Returns the group whose member is viewed as; undefined for a user. */
export function groupViewedAs(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
