import { versionFrom } from '../database/connection-errors.ts';
import type { Connection, ServerFacts } from '../database/connection.ts';
import type { QueryRows } from './list-tables.ts';

/** Returns the server's version, and warnings if the user may do more than read. @throws EngineError */
export async function serverFacts(queryRows: QueryRows, connection: Connection): Promise<ServerFacts> {
  const rows = await queryRows(`
    select current_setting('server_version'), (select rolsuper from pg_roles where rolname = current_user)::text,
      exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and has_table_privilege(c.oid, 'insert, update, delete, truncate'))::text,
      exists (select from pg_roles where rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend') and pg_has_role(oid, 'member'))::text`);
  const [version, isSuper, mayWrite, mayReach] = rows[0] ?? [];
  const login = `The user \`${connection.user}\``;
  const warnings =
    isSuper === 'true'
      ? [
          `${login} is a superuser and could read the server's own files. Use a user with only the SELECT privilege.`,
        ]
      : [
          ...(mayWrite === 'true'
            ? [`${login} can change data. Use a user with only the SELECT privilege.`]
            : []),
          ...(mayReach === 'true'
            ? [
                `${login} can access the server's files, programs or other sessions. Use a user with only the SELECT privilege.`,
              ]
            : []),
        ];
  return { version: `PostgreSQL ${versionFrom(version, connection, 'PostgreSQL')}`, warnings };
}
