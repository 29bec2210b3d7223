import { readDocument, type ReportFile } from '@belvedere/document';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Directory } from '../access/directory.ts';
import type { People } from '../auth/accounts/people.ts';
import { withWorkspace } from '../commands/with-workspace.ts';
import { ExportWriter } from '../exports/formats/export-writer.ts';
import type { Grant, Grants } from '../state/sharing/grants.ts';
import type { Groups } from '../state/accounts/groups.ts';
import type { User } from '../state/accounts/users.ts';
import { resolveWorkspace } from '../workspace/resolve-workspace.ts';
import type { ScheduledDocument, Workspace } from '../workspace/workspace.ts';
import type { ReportParts } from './run-report.ts';

/** The sales of two regions, of which each user sees one. */
const files: Readonly<Record<string, string>> = {
  'belvedere.yaml': 'version: 1\ntimezone: Europe/Berlin\n',
  'data/sales.csv': `day,region,shop,amount
2024-05-01,north,canary-north-1,10
2024-05-02,north,canary-north-2,20
2024-05-02,south,canary-south-1,40
`,
  'data/targets.csv': 'shop,target\ncanary-north-1,canary-target\n',
  'models/sales.yaml': `version: 1
table: sales
time: day
dimensions: { day: {}, region: {}, shop: {} }
measures: { total: { expr: sum(amount) } }
policies:
  - { name: own, everyone: true, where: "region in (:user.regions)" }
`,
  'models/targets.yaml':
    'version: 1\ntable: targets\ndimensions: { shop: {}, target: {} }\nmeasures: { shops: { expr: count(*) } }\n',
  'dashboards/sales.yaml': `version: 1
title: Sales
model: sales
filters:
  - { field: region }
  - { field: day, default: { from: 2024-05-01 }, locked: true }
pages:
  - title: Figures
    tiles:
      total: { kind: kpi, value: { measure: total }, at: [0, 0, 6, 3] }
  - title: Shops
    tiles:
      shops: { kind: table, columns: [shop, total], at: [0, 0, 24, 8] }
`,
  'dashboards/mixed.yaml': `version: 1
title: Mixed
model: sales
filters: [{ field: region }]
pages:
  - title: One
    tiles:
      shops: { kind: table, columns: [shop, total], at: [0, 0, 12, 8] }
      targets: { kind: table, columns: [shop, target], model: targets, at: [12, 0, 12, 8] }
`,
  'dashboards/own_zone.yaml': `version: 1
title: Own zone
model: sales
timezone: viewer
pages:
  - title: One
    tiles:
      shops: { kind: table, columns: [shop, total], at: [0, 0, 24, 8] }
`,
};

export interface ReportFixture {
  /** Users by name: olga (owner), nora and sven (explorers of one region each), vera (viewer, north). */
  readonly users: Map<string, User>;
  readonly grants: Grant[];
  readonly parts: ReportParts;
  readonly workspace: () => Workspace;
  readonly report: (text: string, id?: string) => ScheduledDocument<ReportFile>;
  readonly refresh: () => Promise<void>;
  /** Brings back all users and grants. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const user = (name: string, role: User['role'], regions: readonly string[] = []): User => ({
  id: name,
  name,
  email: `${name}@example.org`,
  role,
  isDisabled: false,
  isService: false,
  createdAt: '2024-01-01T00:00:00Z',
  groups: regions.length > 0 ? ['readers'] : [],
  attributes: { regions: [...regions] },
  hasAuthenticator: false,
  passkeys: 0,
  hasProvider: false,
});

export const shareWith = (
  subjectId: string,
  level: Grant['level'],
  objectKind: Grant['objectKind'],
  object: string,
) => ({ subjectKind: 'user', subjectId, objectKind, object, level }) as Grant;

const allUsers = [
  user('olga', 'owner'),
  user('ed', 'editor', ['north', 'south']),
  user('nora', 'explorer', ['north']),
  user('nils', 'explorer', ['north']),
  user('sven', 'explorer', ['south']),
  user('vera', 'viewer', ['north']),
];
const allGrants = allUsers.flatMap(({ id }) => [
  shareWith(id, 'explore', 'dashboard', 'sales'),
  shareWith(id, 'explore', 'dashboard', 'mixed'),
  shareWith(id, 'explore', 'dashboard', 'own_zone'),
]);

/** Opens a workspace with users, without a server. */
export async function openReports(more: Readonly<Record<string, string>> = {}): Promise<ReportFixture> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-reports-'));
  const root = path.join(folder, 'workspace');
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
  process.env['XDG_STATE_HOME'] = path.join(folder, 'state');
  for (const [file, text] of Object.entries({ ...files, ...more })) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  const users = new Map<string, User>();
  const grants: Grant[] = [];
  const people = { byId: users, subscribe: () => () => {} } as unknown as People;
  const groups = {
    list: async () => [{ id: 'readers', name: 'Readers', members: 5, groups: [], attributes: {} }],
  } as unknown as Groups;
  const directory = new Directory({ people, groups }, { all: async () => grants } as unknown as Grants);
  const reset = async () => {
    for (const one of allUsers) users.set(one.id, one);
    grants.splice(0, grants.length, ...allGrants);
    await directory.refresh();
  };
  await reset();
  const opened = Promise.withResolvers<ReportFixture>();
  const done = Promise.withResolvers<void>();
  const ended = withWorkspace(await resolveWorkspace(root), {}, ({ store, queries }) => {
    const workspace = () => store.current;
    opened.resolve({
      users,
      grants,
      workspace,
      refresh: () => directory.refresh(),
      reset,
      report: readReport,
      parts: {
        workspace,
        root,
        pagesFolder: '',
        queries,
        directory,
        isTeam: true,
        writer: new ExportWriter(),
        notesOf: async () => [],
        now: () => Date.parse('2024-05-03T06:00:00Z'),
        unsubscribed: async () => new Set(),
      },
      close: async () => {
        done.resolve();
        await ended;
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    });
    return done.promise;
  });
  ended.catch(opened.reject);
  return opened.promise;
}

function readReport(text: string, id = 'weekly'): ScheduledDocument<ReportFile> {
  const read = readDocument('report', text, `reports/${id}.yaml`);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  const { value } = read;
  return { id, file: `reports/${id}.yaml`, document: value, title: value.title, problems: [], revision: '' };
}
