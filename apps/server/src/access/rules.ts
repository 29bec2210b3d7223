import type { Contract, Level, ObjectKind, Role } from '@belvedere/api';

/**
 * The most that a role may do with objects that are shared with them. Owners and admins need no grant. This
 * table and the `access` of the contract's endpoints are all rules there are: they make the checks, their
 * tests and the page of the documentation.
 */
export const ceilings: Readonly<Record<Role, Readonly<Record<ObjectKind, Level | undefined>>>> = {
  viewer: { dashboard: 'view', folder: 'view', model: undefined, source: undefined },
  explorer: { dashboard: 'explore', folder: 'explore', model: 'explore', source: undefined },
  editor: { dashboard: 'manage', folder: 'manage', model: 'explore', source: undefined },
  maker: { dashboard: 'manage', folder: 'manage', model: 'manage', source: 'edit' },
  admin: { dashboard: 'manage', folder: 'manage', model: 'manage', source: 'manage' },
  owner: { dashboard: 'manage', folder: 'manage', model: 'manage', source: 'manage' },
};

/** The endpoints that work while one views as another user: they only read. */
export const whileViewingAs: ReadonlySet<keyof Contract> = new Set([
  'getSession',
  'listDashboards',
  'getDashboard',
  'getThumbnail',
  'queryTiles',
  'getBrushIndex',
  'getTileRows',
  'getFieldValues',
  'getExport',
  'postExport',
  'countExportRows',
  'getImage',
  'getMap',
  'explainTile',
  'getEvents',
]);

/**
 * Who may open an address outside the contract: anyone, an admin, or a program with a secret. A `scraper` has
 * the metrics token and sees only the metrics. An `opener` has the secret of the instance's own records and
 * gets a fresh sign-in address.
 */
export type AddressRule = 'anyone' | 'admin' | 'scraper or admin' | 'opener';

export const addressRules: Readonly<Record<string, AddressRule>> = {
  'GET /healthz': 'anyone',
  'GET /open/:token': 'anyone',
  'POST /open': 'opener',
  // Providers lead browsers back to it. It signs in with a cookie that began the visit.
  'GET /auth/oidc/:provider/callback': 'anyone',
  'GET /readyz': 'admin',
  'GET /metrics': 'scraper or admin',
  'GET /api/openapi.json': 'admin',
  'GET /api/docs': 'admin',
  'GET /api/schema/:file': 'admin',
  // The application's own pages hold no data. Their API requests are checked.
  'GET /*': 'anyone',
};
