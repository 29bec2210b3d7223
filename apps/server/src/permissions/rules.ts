import type { Contract } from '@belvedere/api';

/** Who may call what. Local mode knows one person, the owner; whoever is not signed in may only see that the server lives. */
export type Role = 'owner' | 'anonymous';

/** One row for each endpoint; an endpoint without one stops the server at start. */
export const rules: Readonly<Record<keyof Contract, readonly Role[]>> = {
  getSession: ['owner'],
  listDashboards: ['owner'],
  getDashboard: ['owner'],
  saveDashboard: ['owner'],
  getText: ['owner'],
  saveText: ['owner'],
  putDraft: ['owner'],
  dropDraft: ['owner'],
  listRevisions: ['owner'],
  getRevision: ['owner'],
  removeDashboard: ['owner'],
  moveDashboard: ['owner'],
  listBin: ['owner'],
  restoreDashboard: ['owner'],
  getThumbnail: ['owner'],
  postAnswers: ['owner'],
  postIndex: ['owner'],
  postTileRows: ['owner'],
  postFieldValues: ['owner'],
  getExport: ['owner'],
  getImage: ['owner'],
  getMap: ['owner'],
  listModels: ['owner'],
  getModel: ['owner'],
  getModelProfile: ['owner'],
  getModelText: ['owner'],
  saveModelText: ['owner'],
  putModelDraft: ['owner'],
  dropModelDraft: ['owner'],
  previewModel: ['owner'],
  postQuery: ['owner'],
  listTables: ['owner'],
  getTable: ['owner'],
  getTableRows: ['owner'],
  saveReading: ['owner'],
  getRejectedRows: ['owner'],
  getUpload: ['owner'],
  putUpload: ['owner'],
  listSources: ['owner'],
  getSource: ['owner'],
  getSchema: ['owner'],
  testSource: ['owner'],
  saveSource: ['owner'],
  retrySource: ['owner'],
  postExplain: ['owner'],
  getEvents: ['owner'],
  validate: ['owner'],
  getSystem: ['owner'],
};

/** Addresses outside the contract. */
export const otherRules: Readonly<Record<string, readonly Role[]>> = {
  'GET /healthz': ['anonymous', 'owner'],
  'GET /open/:token': ['anonymous', 'owner'],
  'GET /readyz': ['owner'],
  'GET /metrics': ['owner'],
  'GET /api/openapi.json': ['owner'],
  'GET /api/docs': ['owner'],
  'GET /api/schema/:file': ['owner'],
  // The program's own pages hold no data; what they ask for is checked.
  'GET /*': ['anonymous', 'owner'],
};
