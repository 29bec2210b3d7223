/** Receives a code: a site, or a program on the user's device. */
export interface Receiver {
  /** A host, `localhost`, or the scheme of addresses that a program opens. */
  readonly site: string;
  readonly isProgram: boolean;
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Schemes of editors and assistants. Others must be a reversed host name, which is a program's own (RFC 8252). */
const programs: ReadonlySet<string> = new Set([
  'claude',
  'cursor',
  'vscode',
  'vscode-insiders',
  'windsurf',
  'zed',
]);
/** Visible ASCII without a backslash, so that no browser reads another address than was checked. */
const plainAddress = /^([a-z][a-z\d+.-]*):\/\/[!-[\]-~]*$/;

/**
 * Returns who receives what is sent to a redirect URI; undefined if it is not safe. Unencrypted ones are only for
 * programs on the user's device.
 */
export function receiverOf(uri: string): Receiver | undefined {
  const [, scheme] = plainAddress.exec(uri) ?? [];
  const url = scheme === undefined ? null : URL.parse(uri);
  if (scheme === undefined || !url || uri.includes('#') || url.username || url.password) return undefined;
  if (scheme === 'https') return { site: url.host, isProgram: false };
  if (scheme === 'http')
    return loopback.has(url.hostname) ? { site: 'localhost', isProgram: true } : undefined;
  return programs.has(scheme) || /^[a-z][a-z\d-]*(\.[a-z\d-]+)+$/.test(scheme)
    ? { site: `${scheme}:`, isProgram: true }
    : undefined;
}

/**
 * Whether a request may name a redirect URI: it is one of the client's, letter by letter. Programs on the user's
 * device may listen on another port each time (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some(one => one === uri || withoutLocalPort(one) === withoutLocalPort(uri));
}

function withoutLocalPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/, '$1');
}
