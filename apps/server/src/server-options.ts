import type { BackupPlan } from './backup/backup-job.ts';
import type { MailOptions } from './mail/mail-settings.ts';
import type { CertificateFiles } from './http/server-certificate.ts';
import type { ResolvedWorkspace } from './workspace/resolve-workspace.ts';

export interface ServerOptions {
  readonly location: ResolvedWorkspace;
  /** `local`: one person on this machine. `team`: users with accounts. */
  readonly mode?: 'local' | 'team';
  /** The address under which users reach the server, if it is not this machine's own. */
  readonly publicUrl?: string | undefined;
  /** The mail server and sender; they take precedence over those of `belvedere.yaml`. */
  readonly mail?: MailOptions | undefined;
  /** Addresses of proxies, whose `x-forwarded-for` names the client. */
  readonly trustedProxies?: readonly string[];
  /** The server's own certificate; absent behind a proxy that has one. */
  readonly certificate?: CertificateFiles | undefined;
  /** Where the audit log is written as JSON lines, too: a file, or what gets each line. */
  readonly auditLog?: string | ((line: string) => void) | undefined;
  /** A file of hashes of breached passwords; it takes precedence over that of `belvedere.yaml`. */
  readonly breachedPasswords?: string | undefined;
  /** Makes a backup every day. Without it, owners set that in the interface. */
  readonly backups?: BackupPlan;
  readonly host: string;
  readonly port: number;
  /** Uses the next free port if this one is busy. */
  readonly movesOn: boolean;
  readonly version: string;
  readonly pagesFolder: string;
  /** Copies the sample's files into a workspace, without replacing any. */
  readonly addSample?: (location: ResolvedWorkspace) => Promise<void>;
}
