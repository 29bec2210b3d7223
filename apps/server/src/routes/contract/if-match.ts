import type { Endpoint } from '@belvedere/api';
import { ProblemError } from '../../http/problems.ts';

/** How the API's description explains the header, by what an endpoint replaces. */
export const ifMatchDescriptions: Readonly<Record<NonNullable<Endpoint['replaces']>, string>> = {
  document:
    'The `hash` of the text that is replaced, in quotes. Without it, a file is created; one that exists is never replaced.',
  part: 'The `hash` of the text that is changed, in quotes. Without it, the present text is changed.',
  record: 'The `version` of what is replaced, in quotes. Without it, any version is replaced.',
};

/**
 * Returns the version in the header `If-Match`.
 *
 * @throws ProblemError `request-invalid` for anything but one quoted version, and for endpoints that do not
 * compare versions: their callers would believe that nothing can be overwritten
 */
export function readIfMatch(
  header: string | undefined,
  { replaces }: Pick<Endpoint, 'replaces'>,
): string | undefined {
  if (header === undefined) return undefined;
  if (!replaces)
    throw new ProblemError('request-invalid', 'This request does not compare versions. Omit `If-Match`.');
  const [, version] = /^\s*"([\x21\x23-\x7e]{1,64})"\s*$/.exec(header) ?? [];
  if (version === undefined)
    throw new ProblemError(
      'request-invalid',
      '`If-Match` must be one version in quotes, such as "0123456789abcdef".',
    );
  return version;
}
