import type { NewConnection } from '@belvedere/api';

/** The parts of a connection's address, as the fields of the form have them. */
export interface AddressedConnection {
  readonly kind?: NewConnection['kind'];
  readonly host: string;
  readonly port?: string;
  readonly database?: string;
  readonly user?: string;
  readonly password?: string;
}

const kinds: Readonly<Record<string, NewConnection['kind']>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  clickhouse: 'clickhouse',
  http: 'clickhouse',
  https: 'clickhouse',
};
/** ClickHouse is queried over HTTP, on a different port. */
const httpPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Parses an address of a database: `postgres://user:password@host:5432/database`,
 * `jdbc:mysql://host/database`, `https://host:8443`, `host:5432`.
 * @returns undefined for any other text, such as a host name alone
 */
export function readConnectionAddress(text: string): AddressedConnection | undefined {
  const [, scheme, rest] = /^(?:jdbc:)?(?:([a-z]+):\/\/)?(\S+)$/i.exec(text.trim()) ?? [];
  if (rest === undefined || (scheme === undefined && !/^[^:/@\s]+:\d+$/.test(rest))) return undefined;
  const kind = scheme === undefined ? undefined : kinds[scheme.toLowerCase()];
  if (scheme !== undefined && kind === undefined) return undefined;
  let url;
  try {
    // Of a scheme that browsers do not know: of theirs they leave the usual port out.
    url = new URL(`database://${rest}`);
  } catch {
    return undefined;
  }
  const port = url.port || httpPorts[scheme?.toLowerCase() ?? ''];
  const database = decoded(url.pathname.replace(/^\/+|\/+$/g, ''));
  return {
    ...(kind && { kind }),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(port && { port }),
    ...(database !== '' && !database.includes('/') && { database }),
    ...(url.username !== '' && { user: decoded(url.username) }),
    ...(url.password !== '' && { password: decoded(url.password) }),
  };
}

/** A password may contain a literal `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
