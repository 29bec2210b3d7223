import { SqlError } from '@belvedere/sql';
import type { Connection } from '../database/connection.ts';
import { refusals, unreachable } from '../database/connection-errors.ts';
import { certificateError } from '../database/verified-tls.ts';
import { EngineError } from '../result.ts';

/** By SQLSTATE. */
const refusalOf = { '28P01': 'login', '28000': 'origin', '3D000': 'database', '53300': 'full' } as const;

/**
 * Returns the error that users read for one of the server or of the driver.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function asEngineError(error: unknown, connection: Connection): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof SqlError) return new EngineError(error.code, error.message, { cause: error });
  const { code = '', message, severity } = error as { code?: string; message: string; severity?: string };
  const refused = refusals(connection);
  if (Object.hasOwn(refusalOf, code)) return refused[refusalOf[code as keyof typeof refusalOf]](error);
  if (code === '57014')
    return new EngineError(
      'query-timeout',
      'The server stopped the query: it timed out, or was cancelled on the server.',
      { cause: error },
    );
  // Affects a single table; the source stays available.
  if (code === '42501')
    return new EngineError(
      'query-failed',
      `The user lacks the permission to read this. ${sentence(message)}`,
      {
        cause: error,
      },
    );
  if (code === '42P01' || code === '3F000')
    return new EngineError('table-gone', sentence(message), { cause: error });
  if (code === '42703') return new EngineError('column-gone', sentence(message), { cause: error });
  // A statement has parameters without values. The connection is fine.
  if (code === '08P01' && severity === 'ERROR')
    return new EngineError('query-failed', sentence(message), { cause: error });
  // SQLSTATEs contain a digit; codes such as EPIPE do not.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !code.startsWith('08') && !code.startsWith('57P'))
    return new EngineError('query-failed', sentence(message), { cause: error });
  if (/does not support SSL/.test(message)) return refused.plain(error);
  // The server requires a password, and none was configured.
  if (/password must be a/i.test(message)) return refused.login(error);
  return certificateError(message, connection.host, error) ?? unreachable(connection, 'PostgreSQL', error);
}

const sentence = (text: string) =>
  `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
