import type { Endpoint } from './endpoint.ts';

/** Where every call goes: all that a client must know at run time. What goes in and comes out stands in contract.ts. */
export const routes = {
  getSession: { method: 'GET', path: '/api/session' },
  listDashboards: { method: 'GET', path: '/api/dashboards' },
  getDashboard: { method: 'GET', path: '/api/dashboards/:id' },
  saveDashboard: { method: 'PUT', path: '/api/dashboards/:id' },
  getThumbnail: { method: 'GET', path: '/api/dashboards/:id/thumbnail' },
  postAnswers: { method: 'POST', path: '/api/dashboards/:id/answers' },
  postIndex: { method: 'POST', path: '/api/dashboards/:id/index' },
  postTileRows: { method: 'POST', path: '/api/dashboards/:id/tiles/:tile/rows' },
  postFieldValues: { method: 'POST', path: '/api/dashboards/:id/fields/:field/values' },
  listModels: { method: 'GET', path: '/api/models' },
  getModel: { method: 'GET', path: '/api/models/:name' },
  postQuery: { method: 'POST', path: '/api/models/:name/query' },
  listTables: { method: 'GET', path: '/api/sources/files/tables' },
  getTable: { method: 'GET', path: '/api/sources/files/tables/:table' },
  getTableRows: { method: 'GET', path: '/api/sources/files/tables/:table/rows' },
  getEvents: { method: 'GET', path: '/api/events' },
  validate: { method: 'POST', path: '/api/validate' },
  getSystem: { method: 'GET', path: '/api/system' },
} as const satisfies Readonly<Record<string, Pick<Endpoint, 'method' | 'path'>>>;
