import type { Contract } from '@belvedere/api';

/**
 * The callers' roles. Local mode has one user, the owner; anonymous callers may only see that the server
 * runs.
 * A `scraper` has the metrics token and sees only the metrics. An `opener` has the secret of the instance's
 * own records and gets a fresh sign-in address.
 * A `reader` is the owner viewing as another user: drafts, changes and other authors' endpoints are not
 * available.
 */
export type Role = 'owner' | 'reader' | 'anonymous' | 'scraper' | 'opener';

/** One row per endpoint. An endpoint without a row stops the server at start. */
export const endpointPermissions: Readonly<Record<keyof Contract, readonly Role[]>> = {
  getSession: ['owner', 'reader'],
  listDashboards: ['owner', 'reader'],
  getDashboard: ['owner', 'reader'],
  saveDashboard: ['owner'],
  getDashboardText: ['owner'],
  saveDashboardText: ['owner'],
  putDraft: ['owner'],
  dropDraft: ['owner'],
  listRevisions: ['owner'],
  getRevision: ['owner'],
  removeDashboard: ['owner'],
  moveDashboard: ['owner'],
  moveFolder: ['owner'],
  listTrash: ['owner'],
  restoreDashboard: ['owner'],
  findTiles: ['owner'],
  getThumbnail: ['owner', 'reader'],
  queryTiles: ['owner', 'reader'],
  getBrushIndex: ['owner', 'reader'],
  getTileRows: ['owner', 'reader'],
  getFieldValues: ['owner', 'reader'],
  getExport: ['owner', 'reader'],
  postExport: ['owner', 'reader'],
  countExportRows: ['owner', 'reader'],
  getImage: ['owner', 'reader'],
  getMap: ['owner', 'reader'],
  listModels: ['owner'],
  getModel: ['owner'],
  getModelProfile: ['owner'],
  getModelValues: ['owner'],
  getModelText: ['owner'],
  saveModelText: ['owner'],
  findModelRenames: ['owner'],
  putModelDraft: ['owner'],
  dropModelDraft: ['owner'],
  listModelRevisions: ['owner'],
  getModelRevision: ['owner'],
  previewModel: ['owner'],
  postQuery: ['owner'],
  listTables: ['owner'],
  getTable: ['owner'],
  getTableRows: ['owner'],
  addSample: ['owner'],
  setImportOptions: ['owner'],
  cancelImport: ['owner'],
  retryImport: ['owner'],
  getRejectedRows: ['owner'],
  getUpload: ['owner'],
  putUpload: ['owner'],
  listSources: ['owner'],
  getSource: ['owner'],
  getSchema: ['owner'],
  runSql: ['owner'],
  exportSql: ['owner'],
  testSource: ['owner'],
  saveSource: ['owner'],
  saveFileSource: ['owner'],
  confirmSource: ['owner'],
  retrySource: ['owner'],
  explainTile: ['owner', 'reader'],
  getMe: ['owner'],
  putFavourite: ['owner'],
  putRecent: ['owner'],
  addEventNote: ['owner'],
  updateEventNote: ['owner'],
  removeEventNote: ['owner'],
  putView: ['owner'],
  removeView: ['owner'],
  putPresence: ['owner'],
  getEvents: ['owner', 'reader'],
  validate: ['owner'],
  getSystem: ['owner'],
};

/** Addresses outside the contract. */
export const otherPermissions: Readonly<Record<string, readonly Role[]>> = {
  'GET /healthz': ['anonymous', 'owner'],
  'GET /open/:token': ['anonymous', 'owner'],
  'POST /open': ['opener'],
  'GET /readyz': ['owner'],
  'GET /metrics': ['owner', 'scraper'],
  'GET /api/openapi.json': ['owner'],
  'GET /api/docs': ['owner'],
  'GET /api/schema/:file': ['owner'],
  // The application's own pages hold no data. Their API requests are checked.
  'GET /*': ['anonymous', 'owner'],
};
