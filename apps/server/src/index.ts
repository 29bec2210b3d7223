// The server's interface for the command line. Functions that need the most modules load them when they are
// first called: `--help` and small commands then start in half of the time.
export { roles, type Role } from '@belvedere/api';
export { linesOf } from '@belvedere/engine';
export type { Accounts } from './auth/accounts/accounts.ts';
export { metricsTokenOf, type ServerCommand } from './auth/secrets/metrics-token.ts';
export { queryBody, readWords } from './commands/parse-query-args.ts';
export { progressInWords, type Progress } from './commands/progress.ts';
export { warningLine } from './commands/warning-line.ts';
export { problemFrom, ProblemError } from './http/problems.ts';
export type { RunningServer } from './server.ts';
export { resolveWorkspace, type ResolvedWorkspace } from './workspace/resolve-workspace.ts';
export { WorkspaceLockedError } from './workspace/workspace-lock.ts';

export const startServer = whenCalled(async () => (await import('./server.ts')).startServer);
export const signInAddress = whenCalled(
  async () => (await import('./auth/sign-in/sign-in-address.ts')).signInAddress,
);
export const checkWorkspace = whenCalled(
  async () => (await import('./commands/check-workspace.ts')).checkWorkspace,
);
export const formatWorkspace = whenCalled(
  async () => (await import('./commands/format-workspace.ts')).formatWorkspace,
);
export const newDashboard = whenCalled(
  async () => (await import('./commands/new-dashboard.ts')).newDashboard,
);
export const queryWorkspace = whenCalled(
  async () => (await import('./commands/query-workspace.ts')).queryWorkspace,
);
export const rowsAsText = whenCalled(async () => (await import('./commands/result-text.ts')).rowsAsText);
export const rowsAsCsv = whenCalled(async () => (await import('./commands/result-text.ts')).rowsAsCsv);
export const renderDashboard = whenCalled(
  async () => (await import('./commands/render-dashboard.ts')).renderDashboard,
);
export const stateToRender = whenCalled(
  async () => (await import('./commands/render-dashboard.ts')).stateToRender,
);
export const buildSite = whenCalled(async () => (await import('./commands/build-site.ts')).buildSite);
export const backupWorkspace = whenCalled(
  async () => (await import('./commands/backup-workspace.ts')).backupWorkspace,
);
export const restoreBackup = whenCalled(
  async () => (await import('./backup/restore-backup.ts')).restoreBackup,
);
export const rotateKeys = whenCalled(async () => (await import('./commands/rotate-keys.ts')).rotateKeys);
export const sendTestMail = whenCalled(async () => (await import('./mail/send-test-mail.ts')).sendTestMail);
export const remoteWorkspace = whenCalled(
  async () => (await import('./mcp/remote-workspace.ts')).remoteWorkspace,
);
export const serveToAssistant = whenCalled(async () => (await import('./mcp/serve-mcp.ts')).serveToAssistant);
export const serveFolderToAssistant = whenCalled(
  async () => (await import('./mcp/serve-mcp.ts')).serveFolderToAssistant,
);
export const withAccounts: typeof import('./commands/with-accounts.ts').withAccounts = async (...args) =>
  (await import('./commands/with-accounts.ts')).withAccounts(...args);

/** Returns a function that loads another one before its call. */
function whenCalled<A extends unknown[], R>(
  load: () => Promise<(...args: A) => R | Promise<R>>,
): (...args: A) => Promise<R> {
  return async (...args) => (await load())(...args);
}
