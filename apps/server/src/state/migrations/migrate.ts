import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { ProblemError } from '../../http/problem-error.ts';
import * as documentIdentity from './0001-document-identity.ts';
import * as accounts from './0002-accounts.ts';
import * as accessTokens from './0003-access-tokens.ts';
import * as signIn from './0004-sign-in.ts';
import * as secondFactors from './0005-second-factors.ts';
import * as publicLinks from './0006-public-links.ts';
import * as comments from './0007-comments.ts';
import * as embedKeys from './0008-embed-keys.ts';
import * as accessRequests from './0010-access-requests.ts';
import * as dashboardRecords from './0009-dashboard-records.ts';
import * as jobs from './0011-jobs.ts';
import * as deliveries from './0012-deliveries.ts';
import * as alerts from './0013-alerts.ts';
import * as reports from './0014-reports.ts';
import * as messageAbout from './0015-message-about.ts';
import * as groupsInGroups from './0016-groups-in-groups.ts';
import * as exportLimits from './0017-export-limits.ts';
import * as notifyChanges from './0018-notify-changes.ts';
import * as alertChangeWatch from './0019-alert-change-watch.ts';
import * as revisionAuthor from './0020-revision-author.ts';
import * as oauthTokens from './0021-oauth-tokens.ts';
import * as notificationChoices from './0022-notification-choices.ts';
import * as invitationGrants from './0023-invitation-grants.ts';
import * as userZone from './0024-user-zone.ts';
import * as formerPaths from './0025-former-paths.ts';
import * as trashOfAllDocuments from './0026-trash-of-all-documents.ts';

/** Applied once each, in the order of their names. A released migration never changes; append new ones. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-document-identity': documentIdentity,
  '0002-accounts': accounts,
  '0003-access-tokens': accessTokens,
  '0004-sign-in': signIn,
  '0005-second-factors': secondFactors,
  '0006-public-links': publicLinks,
  '0007-comments': comments,
  '0008-embed-keys': embedKeys,
  '0009-dashboard-records': dashboardRecords,
  '0010-access-requests': accessRequests,
  '0011-jobs': jobs,
  '0012-deliveries': deliveries,
  '0013-alerts': alerts,
  '0014-reports': reports,
  '0015-message-about': messageAbout,
  '0016-groups-in-groups': groupsInGroups,
  '0017-export-limits': exportLimits,
  '0018-notify-changes': notifyChanges,
  '0019-alert-change-watch': alertChangeWatch,
  '0020-revision-author': revisionAuthor,
  '0021-oauth-tokens': oauthTokens,
  '0022-notification-choices': notificationChoices,
  '0023-invitation-grants': invitationGrants,
  '0024-user-zone': userZone,
  '0025-former-paths': formerPaths,
  '0026-trash-of-all-documents': trashOfAllDocuments,
};

/** Tables of the migrator itself. */
export const migrationTable = 'migration';
export const migrationTables: ReadonlySet<string> = new Set([migrationTable, 'migration_lock']);

/**
 * Applies all migrations that a database lacks, in one transaction, or those up to a name. Servers that start
 * at the same time on one PostgreSQL database wait for each other. @param schema the schema of the tables
 */
export async function migrate(
  db: Kysely<unknown>,
  { to, schema }: { readonly to?: string; readonly schema?: string } = {},
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: migrationTable,
    migrationLockTableName: 'migration_lock',
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error } = to === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(to);
  if (error !== undefined) throw error;
}

/** @throws ProblemError `state-unavailable` for a migration that only a newer version has */
export function requireKnown(migration: string): void {
  if (!Object.hasOwn(migrations, migration))
    throw new ProblemError(
      'state-unavailable',
      'The state database was written by a newer Belvedere. Update Belvedere to use it.',
    );
}
