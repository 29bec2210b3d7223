import type { WorkspaceCheck } from './check-workspace.ts';

/** A warning in the format of compilers. */
export function warningLine(warning: WorkspaceCheck['warnings'][number]): string {
  const at = 'line' in warning && warning.line !== undefined ? `:${warning.line}` : '';
  return `${warning.file}${at}: warning: ${warning.message}`;
}
