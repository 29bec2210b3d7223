import { describeAccess, type SourceAccess } from '@belvedere/api';
import { pluralIn } from '../plural-in.ts';

const plural = pluralIn('en');

/** Sources of data. */
export const sourcesEn = {
  sources: {
    title: 'Databases',
    empty:
      'No databases yet. Connect PostgreSQL, MySQL, MariaDB, ClickHouse, DuckDB or SQLite to use their tables like files.',
    connect: 'Connect a database',
    kind: 'Database type',
    kinds: {
      postgres: 'PostgreSQL',
      mysql: 'MySQL or MariaDB',
      clickhouse: 'ClickHouse',
      duckdb: 'DuckDB',
      sqlite: 'SQLite',
    },
    states: {
      unconfirmed: 'Not confirmed',
      paused: 'Paused',
      unchecked: 'Not checked yet',
      connecting: 'Connecting',
      ready: 'Ready',
      degraded: 'Degraded',
      failed: 'Unreachable',
    },
    name: 'Name',
    path: 'Path to the file',
    fileHint:
      'The path on the computer that runs Belvedere. A relative path begins in the workspace. ' +
      'Tables are imported, and imported again when the file changes.',
    host: 'Host',
    port: 'Port',
    hostError: 'Enter only a host name or address, without https:// or the port.',
    portError: 'Enter a number from 1 to 65535.',
    database: 'Database',
    user: 'User',
    password: 'Password',
    test: 'Test connection',
    trying: 'Connecting…',
    retry: 'Try again',
    refresh: 'Refresh tables',
    hint:
      'Paste a URL such as postgres://user:password@host/database into “Host”, or fill in the fields. Use a read-only user. ' +
      'The connection is saved in the “sources” folder; the password is stored separately, readable only by this account.',
    reached: (server: string, tables: number) =>
      `Connected: ${server}, ${plural(tables, 'table', 'tables')}.`,
    tables: (count: number) => plural(count, 'table', 'tables'),
    watermarks: 'Data freshness',
    tablesTitle: 'Tables',
    columns: (count: number) => plural(count, 'column', 'columns'),
    about: (rows: string) => `about ${rows} rows`,
    view: 'view',
    since: (time: string) => `since ${time}`,
    drift: 'Schema changes',
    search: 'Search tables',
    unconfirmed: 'This data source came with the workspace. If you trust it, Belvedere will:',
    access: (access: SourceAccess) => describeAccess(access),
    trust: 'Trust and connect',
    trustHint:
      'Until then, nothing is looked up, connected or sent. Trust it only if you know who created this workspace.',
    review: 'Review',
    change: 'Edit connection',
    unchanged: 'unchanged',
    changeHint: 'If you change the host, port or user, enter the password again.',
    pause: 'Pause…',
    resume: 'Resume',
    pauseTitle: (label: string) => `Pause “${label}”`,
    pauseHint: 'Belvedere sends no queries to it until you resume it. Tiles show their last results.',
    pauseReason: 'Reason (optional)',
    pauseNow: 'Pause',
    remove: 'Remove…',
    removeTitle: (label: string) => `Remove “${label}”?`,
    removeHint: 'Its file and its saved password are deleted. The database itself does not change.',
    removeModels:
      'These models read it. Dashboards that use them show errors until a source of the same name is connected again:',
    removeNow: 'Remove',
    paused: 'This source is paused. Tiles show their last results.',
    pausedFor: (reason: string) => `This source is paused: ${reason}. Tiles show their last results.`,
  },
};

export type SourcesMessages = typeof sourcesEn;
