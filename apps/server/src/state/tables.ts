import type { AccountTables } from './tables/account-tables.ts';
import type { AlertTables } from './tables/alert-tables.ts';
import type { DeliveryTables } from './tables/delivery-tables.ts';
import type { DiscussionTables } from './tables/discussion-tables.ts';
import type { DocumentTables } from './tables/document-tables.ts';
import type { JobTables } from './tables/job-tables.ts';
import type { PreferenceTables } from './tables/preference-tables.ts';
import type { SharingTables } from './tables/sharing-tables.ts';

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
