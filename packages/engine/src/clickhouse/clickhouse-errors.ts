import { SqlError } from '@belvedere/sql';
import { refusals, unreachable } from '../database/connection-errors.ts';
import type { Connection } from '../database/connection.ts';
import { certificateError } from '../database/verified-tls.ts';
import { EngineError } from '../result.ts';

/** Old versions send only a message; newer ones also an error code. */
export function asEngineError(error: unknown, connection: Connection): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof SqlError) return new EngineError(error.code, error.message, { cause: error });
  const { message, code } = error as { message: string; code?: string };
  const [, ownCode, words] =
    /^Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::\w*Exception: )?([\s\S]*?)(?:, e\.what\(\)|$)/.exec(
      message,
    ) ?? [];
  const number = Number(ownCode ?? code);
  const refused = refusals(connection);
  const detail = (words ?? message).trim().slice(0, 500);
  const with_ = (kind: EngineError['code'], text: string) => new EngineError(kind, text, { cause: error });
  switch (number) {
    case 192:
    case 193:
    case 194:
    case 516:
      return refused.login(error);
    case 81:
      return refused.database(error);
    case 164:
    case 497:
      // Affects a single table; the source stays available.
      return with_('query-failed', `The user lacks the permission. ${detail}`);
    case 159:
    case 394:
      return with_(
        'query-timeout',
        'The server stopped the query: it timed out, or was cancelled on the server.',
      );
    case 279:
    case 210:
    case 209:
    case 519:
      return with_('source-unreachable', 'A server of the cluster cannot be reached.');
    case 60:
      return with_('table-gone', detail);
    case 47:
    case 16:
    case 10:
    case 8:
      return with_('column-gone', detail);
    case 241:
      return with_('query-too-large', `The server ran out of memory for this query. ${detail}`);
  }
  if (Number.isFinite(number) && number > 0) return with_('query-failed', detail);
  return certificateError(message, connection.host, error) ?? unreachable(connection, 'ClickHouse', error);
}
