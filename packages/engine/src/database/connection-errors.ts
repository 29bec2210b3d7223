import { EngineError } from '../result.ts';
import { connectMs, type Connection } from './connection.ts';

/** Whether a host is the machine that Belvedere runs on. */
export function isThisMachine(host: string): boolean {
  return host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host);
}

/**
 * The error for a server that did not respond as a database of its kind. The message contains nothing that
 * was received: a connection can be tried to any port, and any program may use that port. For this machine
 * the errors differ by port, since its owner can list the ports anyway. For any other machine there is a
 * single error, so that connection attempts cannot map the network.
 */
export function unreachable(
  { host, port }: Pick<Connection, 'host' | 'port'>,
  program: string,
  cause?: unknown,
): EngineError {
  return new EngineError(
    'source-unreachable',
    `Could not connect: ${reasonFor(host, port, program, cause)}`,
    { cause },
  );
}

function reasonFor(host: string, port: number, program: string, cause: unknown): string {
  const address = addressOf(host, port);
  if (!isThisMachine(host))
    return `no ${program} responded at ${address}. Check the host, the port and the firewall.`;
  const { code, message = '' } = (cause ?? {}) as { code?: string; message?: string };
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return `nothing listens at ${address}.`;
  if (code === 'ETIMEDOUT' || /time.?out/i.test(message))
    return `no ${program} responded at ${address} within ${connectMs / 1000} seconds.`;
  return `the server at ${address} does not respond like ${program}, or closed the connection.`;
}

function addressOf(host: string, port: number): string {
  if (host.startsWith('/')) return `${host}, port ${port}`;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The version that a server reports.
 * @throws EngineError source-unreachable if the text cannot be a version, i.e. the server is of another kind
 */
export function versionFrom(
  detail: string | null | undefined,
  connection: Connection,
  program: string,
): string {
  if (!/^\d{1,4}(\.\d{1,8}){1,4}[\w.+~:() -]{0,80}$/.test(detail ?? ''))
    throw unreachable(connection, program);
  return detail!;
}

/** Our own error messages for refused connections. The server's messages are omitted. */
export function refusals({ user, database }: Pick<Connection, 'user' | 'database'>) {
  const refused = (message: string) => (cause?: unknown) =>
    new EngineError('source-refused', message, { cause });
  return {
    login: refused(`The server refused the user \`${user}\` or the password.`),
    origin: refused(
      `The server denied access to \`${user}\`: the user does not exist, or may not connect from this machine without a password.`,
    ),
    database: refused(`Database \`${database}\` not found, or \`${user}\` has no access to it.`),
    full: refused('The server has no free connections.'),
    plain: refused(
      'The server does not support TLS. Enable TLS on the server or, on a trusted network, set `tls: false`.',
    ),
  } as const;
}
