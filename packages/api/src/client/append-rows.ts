import { ApiError, problemOf } from '../problems/problem.ts';
import { routes } from '../routes.ts';

/**
 * Appends rows to a table of the workspace's files, or creates it.
 * @param rows NDJSON: one JSON object per line
 * @param key an idempotency key: a request that is repeated with it adds nothing more
 * @returns the number of rows added
 * @throws ApiError when the server rejects the rows; then none was added
 */
export async function appendRows(
  base: string,
  table: string,
  rows: string,
  key: string,
  send: typeof fetch = (...args) => fetch(...args),
): Promise<number> {
  const response = await send(
    `${base}${routes.appendRows.path.replace(':table', encodeURIComponent(table))}`,
    {
      method: routes.appendRows.method,
      credentials: 'same-origin',
      headers: { 'x-belvedere': '1', 'content-type': 'application/x-ndjson', 'idempotency-key': key },
      body: rows,
    },
  );
  if (response.ok) return ((await response.json()) as { added: number }).added;
  throw new ApiError(await problemOf(response));
}
