import type { ChangedMailServer, MailServerStatus } from '@belvedere/api';

/** The mail server as it is being edited: texts as typed. */
export interface MailDraft {
  readonly host: string;
  readonly port: string;
  readonly security: ChangedMailServer['security'];
  readonly user: string;
  readonly password: string;
  readonly from: string;
}

export const standardPorts: Readonly<Record<MailDraft['security'], string>> = {
  starttls: '587',
  tls: '465',
  none: '25',
};

export function mailDraft(server: MailServerStatus['server']): MailDraft {
  const { host = '', port, security = 'starttls', user = '', from = '' } = server ?? {};
  return { host, port: String(port ?? standardPorts[security]), security, user, password: '', from };
}

/** Returns the fields that are wrong. The server checks them again, and more. */
export function wrongMailFields({ host, port, from }: MailDraft): ReadonlySet<keyof MailDraft> {
  const checks = {
    host: /^[^\s/@]+$/.test(host.trim()),
    port: /^\d+$/.test(port.trim()) && Number(port) >= 1 && Number(port) <= 65_535,
    from: /^[^\s@<>]+@[^\s@<>]+$|^[^<>]*<[^\s@<>]+@[^\s@<>]+>$/.test(from.trim()),
  };
  return new Set((['host', 'port', 'from'] as const).filter(field => !checks[field]));
}

/** Returns what is sent; an empty password keeps the known one. */
export function changedMailServer({
  host,
  port,
  security,
  user,
  password,
  from,
}: MailDraft): ChangedMailServer {
  return {
    host: host.trim(),
    port: Number(port),
    security,
    ...(user.trim() !== '' && { user: user.trim() }),
    ...(user.trim() !== '' && password !== '' && { password }),
    from: from.trim(),
  };
}
