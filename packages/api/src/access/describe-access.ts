import type { ExternalSetting } from '../endpoints/administration/external-settings.ts';
import type { SourceAccess } from '../endpoints/data/source-access.ts';

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

/** Describes what a setting of `belvedere.yaml` does once confirmed, in English, the server's language. */
export function describeExternalSetting({
  kind,
  names,
  provider,
  secret,
  createsAccounts,
  roles = [],
}: ExternalSetting): string {
  const named = names.join(', ');
  switch (kind) {
    case 'provider':
      return [
        `Sign users in with ${provider} (${named})`,
        ...(secret
          ? [
              `sending ${secret.from === 'env' ? `the environment variable ${secret.name}` : `the secret ${secret.name}`}`,
            ]
          : []),
        ...(createsAccounts ? ['creating accounts'] : []),
        ...(roles.length > 0 ? [`giving the roles ${roles.join(', ')}`] : []),
      ]
        .join(', ')
        .concat('.');
    case 'breached-passwords':
      return `Read ${named}, which is outside the workspace, when passwords are set.`;
    case 'mail-server':
      return `Send mail through ${named}, also links that reset passwords.`;
    case 'mail-domains':
      return `Allow channels to send mail to all addresses of ${named}.`;
    case 'webhook-hosts':
      return `Allow webhooks, mail and sign-in to ${named}, also in private networks and without encryption.`;
  }
}
