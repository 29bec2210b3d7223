import type { SourceAccess } from './endpoints/source-access.ts';

/** Formats a server's address as host and port, with brackets for IPv6. */
export function accessAddress({ host = '', port }: SourceAccess): string {
  if (host.startsWith('/') || port === undefined) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Describes a source's access after confirmation, in English, the server's language. */
export function describeAccess(access: SourceAccess): string {
  const { path, database, user, password, authority, tls } = access;
  if (path !== undefined) return `Read ${path}, which is outside the workspace.`;
  const sent =
    password &&
    `, sending ${password.from === 'env' ? `the environment variable ${password.name}` : `the secret ${password.name}`}`;
  return [
    `Connect to ${accessAddress(access)} as ${user}, database ${database}${sent ?? ', without a password'}.`,
    ...(tls === 'off' ? ['The connection is not encrypted.'] : []),
    ...(authority
      ? [
          `The server is trusted by the certificate in ${authority.from === 'env' ? `the environment variable ${authority.name}` : `the secret ${authority.name}`}.`,
        ]
      : []),
  ].join(' ');
}
