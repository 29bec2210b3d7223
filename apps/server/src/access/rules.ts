import {
  contract,
  includesLevel,
  isAtLeast,
  isRead,
  requestKind,
  tokenScopes,
  type Contract,
  type Endpoint,
  type Level,
  type ObjectKind,
  type Role,
  type TokenScope,
} from '@belvedere/api';

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

/** What some endpoints check further, once they know what is asked for. */
export const furtherRules = {
  /** The rows behind a mark, which show more than the dashboard does. */
  seeRows: { on: 'dashboard', level: 'explore' },
  /** Exports of data, in contrast to pictures. */
  exportData: { on: 'dashboard', level: 'explore' },
  /** A subscription is a report of one's own. */
  subscribe: { on: 'workspace', role: 'explorer' },
  fillFolder: { on: 'folder', level: 'edit' },
  moveFolder: { on: 'folder', level: 'manage' },
  share: <Kind extends ObjectKind>(on: Kind) => ({ on, level: 'manage' }) as const,
} as const;

/** The endpoints that work while one views as another user: they only read. */
export const whileViewingAs: ReadonlySet<keyof Contract> = new Set([
  'getSession',
  'listDashboards',
  'findMovedDashboard',
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

/** The endpoints for guests, who see one dashboard. They may export only if their link has downloads. */
export const forGuests: ReadonlySet<keyof Contract> = new Set([
  'getDashboard',
  'queryTiles',
  'getBrushIndex',
  'getTileRows',
  'getFieldValues',
  'getImage',
  'getMap',
  'postExport',
]);

/** The most that a token's scope allows its user. */
export const scopeRoles: Readonly<Record<TokenScope, Role>> = {
  read: 'viewer',
  explore: 'explorer',
  write: 'maker',
  admin: 'owner',
};

/** What a program may change although it is a user's own. */
const ownForPrograms = /^\/api\/v1\/me(?:\/(?:favourites|recent|views)\/|$)/;

/** Changes that are part of exploring: a token needs no scope `write` for them. */
const partOfExploring: ReadonlySet<keyof Contract> = new Set([
  'addComment',
  'updateComment',
  'removeComment',
  'resolveComment',
]);

/** Where to messages, mails and sign-ins go, and which sites may show dashboards. */
const outward = ['embed-keys', 'channels', 'system/mail', 'sign-in-providers'].map(part => `/api/v1/${part}`);

/**
 * Whether only a browser's session will do: for what concerns a user's sign-in, and for what would let a
 * program keep access beyond its token.
 */
function isForBrowsers({ method, path, access }: Endpoint): boolean {
  if (path.startsWith('/api/v1/me')) return !ownForPrograms.test(path);
  if (method === 'GET') return false;
  if (access.on === 'anyone' || path === '/api/v1/two-factor') return true;
  if (outward.some(part => path.startsWith(part))) return true;
  return /^\/api\/v1\/users\/:user\/(?!tokens\/)./.test(path);
}

/** Returns the least scope with which a token may call an endpoint; undefined if none does. */
export function requiredScope(name: keyof Contract): TokenScope | undefined {
  const endpoint: Endpoint = contract[name];
  if (isForBrowsers(endpoint)) return undefined;
  const { access } = endpoint;
  const minScope =
    isRead(name) || requestKind(name) === 'export' ? 'read' : partOfExploring.has(name) ? 'explore' : 'write';
  const isAllowed = (scope: TokenScope) => {
    const role = scopeRoles[scope];
    if (access.on === 'workspace') return isAtLeast(role, access.role);
    if (access.on === 'anyone' || access.on === 'self') return true;
    return includesLevel(ceilings[role][access.on], access.level);
  };
  return tokenScopes.slice(tokenScopes.indexOf(minScope)).find(isAllowed);
}

/**
 * Who may open an address outside the contract: anyone, an admin, or a program with a secret. A `scraper` has
 * the metrics token and sees only the metrics. An `opener` has the secret of the instance's own records and
 * gets a fresh sign-in address, or a backup. An `assistant` has an access token; a `connecting assistant` has a code
 * or a refresh token, or only registers. No cookie counts for it, so requests of other sites are no danger.
 */
export type AddressRule =
  | 'anyone'
  | 'admin'
  | 'scraper or admin'
  | 'opener'
  | 'assistant'
  | 'connecting assistant';

export const addressRules: Readonly<Record<string, AddressRule>> = {
  'GET /healthz': 'anyone',
  'GET /open/:token': 'anyone',
  'POST /open': 'opener',
  // For `belvedere backup` beside a running server.
  'POST /backup': 'opener',
  // Providers lead browsers back to it. It signs in with a cookie that began the visit.
  'GET /auth/oidc/:provider/callback': 'anyone',
  // Its tools call the API with the same token, which decides what each may do.
  'POST /mcp': 'assistant',
  'GET /mcp': 'anyone',
  'DELETE /mcp': 'assistant',
  'GET /.well-known/oauth-protected-resource': 'anyone',
  'GET /.well-known/oauth-protected-resource/mcp': 'anyone',
  'GET /.well-known/oauth-authorization-server': 'anyone',
  'POST /oauth/register': 'connecting assistant',
  'POST /oauth/token': 'connecting assistant',
  'POST /oauth/revoke': 'connecting assistant',
  'GET /readyz': 'admin',
  'GET /metrics': 'scraper or admin',
  'GET /api/openapi.json': 'admin',
  'GET /api/docs': 'admin',
  'GET /api/schema/:file': 'admin',
  // The page for frames, and pictures, which need a signed token.
  'GET /embed/*': 'anyone',
  // The application's own pages hold no data. Their API requests are checked.
  'GET /*': 'anyone',
};
