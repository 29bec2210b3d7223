import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '@belvedere/api';
import { problemFrom } from '../http/problems.ts';
import type { DocumentLine } from './assisted-workspace.ts';

/** Returns errors in the format of compilers, a line each. */
export function problemLines(problems: readonly DocumentLine[]): string {
  return problems
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    .join('\n');
}

export function textResult(content: string): CallToolResult {
  return { content: [{ type: 'text', text: content }] };
}

export function errorResult(error: unknown): CallToolResult {
  const { detail, errors = [], type } = error instanceof ApiError ? error.problem : problemFrom(error);
  const lines =
    type === 'internal'
      ? [`Something went wrong: ${String(error)}`]
      : [detail, ...errors.map(({ line, column, message }) => `${line}:${column}: ${message}`)];
  return { ...textResult(lines.filter(line => line !== undefined).join('\n')), isError: true };
}
