import { kindOfFile } from '@belvedere/engine';
import path from 'node:path';
import { everything } from '@belvedere/query';
import type { QueryService } from '../queries/query-service.ts';
import { queryTile } from '../queries/tiles/query-tile.ts';
import { queryContextOf } from '../queries/query-context.ts';
import { dashboardContext, tilesOnPage } from '../queries/dashboard-query-context.ts';
import { maxPeriodsOf, observe } from '../alerts/observe.ts';
import { owner, testUser, type Caller } from '../access/caller.ts';
import { applyRowPolicies } from '../access/row-policies.ts';
import { problemFrom } from '../http/problems.ts';
import { documentProblems, type FoundProblem } from '../presenters/document-problems.ts';
import { importWarnings, type ImportWarning } from '../presenters/import-warnings.ts';
import { textOrderWarnings, type ModelWarning } from '../presenters/text-order-warnings.ts';
import { sourcesAwaited } from '../presenters/present-dashboard.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { ChannelRecords } from '../state/messages/channels.ts';
import { Groups } from '../state/accounts/groups.ts';
import { openStateDatabaseReadOnly } from '../state/database/state-database.ts';
import { Users } from '../state/accounts/users.ts';
import { recipientNames, unknownRecipients, type RecipientNames } from '../workspace/unknown-recipients.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { documentFiles } from '../workspace/documents/read-documents.ts';
import { sourceAwaited, type Workspace } from '../workspace/workspace.ts';
import { dataOutside } from '../workspace/tables/data-entries.ts';
import { unconfirmedSetting } from '../workspace/external-settings.ts';
import { unconfirmedSettings } from './unconfirmed-settings.ts';
import { unconfirmedForCommands } from './unconfirmed-sources.ts';
import { misplacedFiles, type MisplacedFile } from './misplaced-files.ts';
import type { Progress } from './progress.ts';
import { withWorkspace } from './with-workspace.ts';

/** The problems of a workspace's documents, in the order of their files. */
export interface WorkspaceCheck {
  readonly documents: number;
  readonly problems: readonly FoundProblem[];
  /**
   * Files that look like documents or data but are never read, open questions of imports, models that order
   * numbers as texts, and unconfirmed settings; not errors.
   */
  readonly warnings: readonly (MisplacedFile | ImportWarning | ModelWarning)[];
}

/**
 * Checks every document of a folder against its schema and the data, as the server does.
 * @param runs also queries every tile of every dashboard and runs the tests of row policies
 */
export async function checkWorkspace(
  location: ResolvedWorkspace,
  {
    runs = false,
    onProgress = () => {},
  }: { readonly runs?: boolean; readonly onProgress?: (progress: Progress) => void } = {},
): Promise<WorkspaceCheck> {
  return withWorkspace(location, { onProgress }, async ({ store, queries }) => {
    const { current } = store;
    const failed = runs
      ? [
          ...(await failedTiles(store, queries, onProgress)),
          ...(await failedPolicyTests(store, queries)),
          ...(await failedAlerts(store, queries)),
        ]
      : [];
    const names = await recipientNamesIn(location);
    const recipients = names ? unknownRecipients(store.documents, names) : [];
    const all = [
      ...documentProblems(current, owner, recipients),
      ...unconfirmedSources(store),
      ...failed,
    ].map(({ file, line, column, message }) => ({ file, line, column, message }));
    const outside = await dataOutside(location, store.documents);
    return {
      documents: (await documentFiles(location.root)).length,
      warnings: [
        ...(await misplacedFiles(location.root, location.data)),
        ...outside.map(({ file, reason }) => ({
          file: path.relative(location.root, file),
          message: reason,
        })),
        ...dataNotRead(current).filter(
          ({ message }) => !outside.some(({ reason }) => message.endsWith(reason)),
        ),
        ...importWarnings(current, file => path.relative(location.root, file)),
        ...textOrderWarnings(store.documents, current),
        ...(await unconfirmedSettings(location)).map(({ setting, line }) => ({
          file: 'belvedere.yaml',
          line,
          message: unconfirmedSetting(setting),
        })),
      ],
      problems: all.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
    };
  });
}

/** Files that are named like data and were skipped, such as links. Other files in the folder of data are no surprise. */
function dataNotRead({ skippedFiles }: Workspace): MisplacedFile[] {
  return skippedFiles
    .filter(({ file, reason }) => reason !== '' && kindOfFile(file) !== undefined)
    .map(({ file, reason }) => ({ file, message: `This file was not imported. ${reason}` }));
}

/** Whom the folder's state database knows; undefined if there is none, as for a folder that was only cloned. */
async function recipientNamesIn({
  state: folder,
  stateUrl: url,
}: ResolvedWorkspace): Promise<RecipientNames | undefined> {
  const state = await openStateDatabaseReadOnly({ folder, url });
  if (!state) return undefined;
  try {
    const [users, groups, channels] = [
      await new Users(state).list(),
      await new Groups(state).list(),
      await new ChannelRecords(state).all(),
    ];
    return recipientNames(users, groups, channels);
  } finally {
    await state.close();
  }
}

/** Reports unconfirmed sources. Models and dashboards on them cannot be checked yet. */
function unconfirmedSources({ current, documents }: WorkspaceStore): FoundProblem[] {
  return [...current.sources.values()].flatMap(source => {
    const document = documents.sources.get(source.name);
    if (!source.unconfirmed || !document?.read.ok) return [];
    const waiting = [...current.modelsWaiting].filter(([, of]) => of === source.name).length;
    const unchecked =
      waiting === 0
        ? ''
        : ` ${waiting} ${waiting === 1 ? 'model on it is' : 'models on it are'} not checked.`;
    return [
      {
        file: document.file,
        ...document.read.locate(['connection']),
        message: unconfirmedForCommands(source) + unchecked,
      },
    ];
  });
}

/** Reports tiles of saved dashboards whose queries fail. */
async function failedTiles(
  { current, documents }: WorkspaceStore,
  queries: QueryService,
  onProgress: (progress: Progress) => void,
): Promise<FoundProblem[]> {
  const tiles = [...documents.dashboards].flatMap(([id, { file, read }]) => {
    const dashboard = current.dashboards.get(id);
    // Unconfirmed sources are reported once, by `unconfirmedSources`.
    if (!read.ok || !dashboard?.document || sourcesAwaited(dashboard.document, current).length > 0) return [];
    const queryContext = queryContextOf(current, dashboard.document, owner);
    return dashboard.document.pages.flatMap((_, page) => {
      const context = dashboardContext(
        dashboard,
        { page, filters: {}, selections: {} },
        queryContext,
        queries,
      );
      return tilesOnPage(context)
        .filter(([tile]) => !(tile in dashboard.brokenTiles))
        .map(([tile, spec]) => ({
          context,
          tile,
          spec,
          at: () => ({ file, ...read.locate(['pages', page, 'tiles', tile]) }),
        }));
    });
  });
  const failed: FoundProblem[] = [];
  for (const [done, { context, tile, spec, at }] of tiles.entries()) {
    onProgress({ kind: 'asking', done, of: tiles.length });
    const message = await queryTile(context, tile, spec, 'both').then(
      () => undefined,
      (error: unknown) => problemFrom(error).detail ?? String(error),
    );
    if (message !== undefined) failed.push({ ...at(), message });
  }
  return failed;
}

/** Reports alerts whose values cannot be read. */
async function failedAlerts(
  { current, documents }: WorkspaceStore,
  queries: QueryService,
): Promise<FoundProblem[]> {
  const failed: FoundProblem[] = [];
  for (const [id, { file, read }] of documents.alerts) {
    const alert = current.alerts.get(id);
    if (!read.ok || !alert?.document || alert.problems.length > 0) continue;
    const options = { queries, workspace: current, caller: owner, now: Date.now() };
    const message = await observe(alert.document, {
      ...options,
      periods: maxPeriodsOf(alert.document),
    }).then(
      () => undefined,
      (error: unknown) => problemFrom(error).detail ?? String(error),
    );
    if (message !== undefined) failed.push({ file, ...read.locate(['watch']), message });
  }
  return failed;
}

/** Reports tests of row policies that fail with the current data. */
async function failedPolicyTests(
  { current, documents }: WorkspaceStore,
  queries: QueryService,
): Promise<FoundProblem[]> {
  const rowsFor = async (model: string, caller: Caller) => {
    const result = await queries.run(
      { kind: 'groups', model, dimensions: [], measures: ['rows'], where: everything },
      queryContextOf(current, undefined, caller),
    );
    return Number(result.columns[0]!.values[0]);
  };
  const failed: FoundProblem[] = [];
  for (const { file, read } of documents.tests) {
    for (const [i, test] of (read.ok ? (read.value.tests ?? []) : []).entries()) {
      const person = current.people.get(test.as);
      const found = current.models.get(test.model);
      if (!person || !found || sourceAwaited(current, test.model)) continue;
      const caller = testUser(test.as, person);
      const own = applyRowPolicies(found.model, caller, current);
      const fail = (key: string, message: string) =>
        failed.push({ file, ...read.locate(['tests', i, key]), message });
      try {
        const [rows, all] = await Promise.all([rowsFor(test.model, caller), rowsFor(test.model, owner)]);
        if (rows !== test.rows)
          fail(
            'rows',
            `${test.as} sees ${count(rows)} of the ${count(all)} rows of \`${test.model}\`, not ${count(test.rows)}.`,
          );
        if (test.of !== undefined && all !== test.of)
          fail('of', `\`${test.model}\` has ${count(all)} rows, not ${count(test.of)}.`);
      } catch (error) {
        fail('model', problemFrom(error).detail ?? String(error));
      }
      for (const name of test.hidden ?? [])
        if (Object.hasOwn(own.dimensions, name) || Object.hasOwn(own.measures, name))
          fail('hidden', `${test.as} sees \`${name}\` of \`${test.model}\`.`);
    }
  }
  return failed;
}

function count(rows: number): string {
  return rows.toLocaleString('en');
}
