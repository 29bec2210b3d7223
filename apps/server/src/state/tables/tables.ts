import type { AccountTables } from './account-tables.ts';
import type { AlertTables } from './alert-tables.ts';
import type { DeliveryTables } from './delivery-tables.ts';
import type { DiscussionTables } from './discussion-tables.ts';
import type { DocumentTables } from './document-tables.ts';
import type { JobTables } from './job-tables.ts';
import type { PreferenceTables } from './preference-tables.ts';
import type { SharingTables } from './sharing-tables.ts';

/** The tables of the state database, as of its newest migration. Times named `at` are ISO texts in UTC. */
export interface Tables
  extends
    DocumentTables,
    PreferenceTables,
    AccountTables,
    SharingTables,
    DiscussionTables,
    AlertTables,
    DeliveryTables,
    JobTables {}
