import { routes } from '../routes.ts';

/** How requests are counted against the rate limits of their user. */
export type RequestKind = 'read' | 'write' | 'export' | 'upload';

const exports: ReadonlySet<string> = new Set<keyof typeof routes>([
  'getExport',
  'postExport',
  'exportSql',
  'previewReport',
]);

/** Requests that only read, and so may be repeated. */
const queries: ReadonlySet<string> = new Set<keyof typeof routes>([
  'queryTiles',
  'getBrushIndex',
  'getTileRows',
  'getFieldValues',
  'countExportRows',
  'countMatches',
  'findModelRenames',
  'previewModel',
  'rehearseAlert',
  'postQuery',
  'runSql',
  'explainTile',
  'getDueTimes',
  'validate',
]);

/**
 * Requests that pages send by themselves while a user types or moves around. Each replaces a single record of
 * the user, or opens a public link or a frame, which a whole class may do from one address.
 */
const sentByPages: ReadonlySet<string> = new Set<keyof typeof routes>([
  'openEmbed',
  'markCommentsRead',
  'openLink',
  'putDraft',
  'putModelDraft',
  'putPresence',
  'putRecent',
]);

/** @param piece the offset of a piece of an upload: an upload counts once, its further pieces as reads */
export function requestKind(name: keyof typeof routes, piece?: string): RequestKind {
  if (exports.has(name)) return 'export';
  if (name === 'putUpload') return piece === '0' ? 'upload' : 'read';
  return isRead(name) || sentByPages.has(name) ? 'read' : 'write';
}

/** Whether a request changes nothing, so that it can be sent again. */
export function isRead(name: keyof typeof routes): boolean {
  return !exports.has(name) && (routes[name].method === 'GET' || queries.has(name));
}
