import { SqlError } from '@belvedere/sql';
import type { Connection } from '../database/connection.ts';
import { refusals, unreachable } from '../database/connection-errors.ts';
import { certificateError } from '../database/verified-tls.ts';
import { EngineError } from '../result.ts';

/**
 * The error that users see, from an error of the driver or the server.
 * @see https://mariadb.com/kb/en/mariadb-error-code-reference/
 */
export function asEngineError(error: unknown, connection: Connection): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof SqlError) return new EngineError(error.code, error.message, { cause: error });
  const { errno = 0, code = '', message } = error as { errno?: number; code?: string; message: string };
  const with_ = (kind: EngineError['code'], words: string) => new EngineError(kind, words, { cause: error });
  const refused = refusals(connection);
  switch (errno) {
    case 1045:
    case 1698:
      return refused.login(error);
    case 1130:
      return refused.origin(error);
    case 1044:
    case 1049:
      return refused.database(error);
    case 1142:
    case 1143:
      // Affects a single table; the source stays available.
      return with_('query-failed', `The user lacks the permission to read this. ${message}`);
    case 1040:
    case 1203:
      return refused.full(error);
    case 1317:
    case 1969:
    case 3024:
      return with_(
        'query-timeout',
        'The server stopped the query: it timed out, or was cancelled on the server.',
      );
    case 1146:
    case 1051:
      return with_('table-gone', `${message}.`);
    case 1054:
      return with_('column-gone', `${message}.`);
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return refused.plain(error);
  const trouble = certificateError(message, connection.host, error);
  if (trouble) return trouble;
  // Codes from 2000 are client errors; codes from 3000 are the server's again (MySQL 8).
  if (
    errno > 1000 &&
    (errno < 2000 || errno >= 3000) &&
    !code.startsWith('PROTOCOL') &&
    errno !== 1053 &&
    errno !== 1152 &&
    errno !== 1158
  )
    return with_('query-failed', `${message}.`);
  return unreachable(connection, 'MySQL or MariaDB', error);
}
