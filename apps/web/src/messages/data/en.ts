import { pluralIn } from '../plural-in.ts';

const plural = pluralIn('en');

/** Tables and uploads. */
export const dataEn = {
  data: {
    explore: 'Explore',
    title: 'Data',
    source: 'Files',
    status: (tables: number, rows: string) => `${plural(tables, 'table', 'tables')}, ${rows} rows`,
    table: 'Table',
    rows: 'Rows',
    columns: 'Columns',
    size: 'Size',
    files: 'Files',
    state: 'Status',
    skippedFiles: 'Skipped files',
    relationships: 'Relationships',
    sql: 'New SQL query',
    editModel: 'Edit model',
    openOverview: 'Open overview',
    preview: 'Preview',
    columnsTitle: 'Columns',
    reportTitle: 'Import report',
    type: 'Type',
    nulls: 'Null',
    empties: 'Empty text',
    distinct: 'Distinct',
    range: 'Range',
    top: 'Most frequent',
    column: 'Column',
    search: 'Search columns',
    report: (read: string, kept: string, rejected: string) =>
      `${read} rows read = ${kept} imported + ${rejected} rejected`,
    encoding: 'Encoding',
    delimiter: 'Delimiter',
    header: 'Header row',
    yes: 'Yes',
    no: 'No',
    rejected: 'Rejected rows',
    downloadRejected: 'Download as CSV',
    line: 'Line',
    problem: (file: string, line: number | undefined, message: string) =>
      `${file}${line === undefined ? '' : `, line ${line.toLocaleString('en')}`}: ${message}`,
    firstFiles: (files: string, of: string) => `First ${files} of ${of} files`,
    sampled: (percent: string) => `Sample of ${percent} of the rows`,
    moreFiles: (files: string) => `and ${files} more`,
    rowsRejected: (rows: string) => `${rows} rejected`,
    openQuestions: (n: number) => plural(n, 'question', 'questions'),
    reason: 'Reason',
    text: 'Text',
    tab: 'Tab',
    empty: 'No tables yet. Copy data files to the workspace folder and they appear here.',
    columnsCut: (shown: number, total: number) => `${shown} of ${total} columns`,
  },
  table: {
    sparkline: (unit: string, from: string, to: string, least: string, most: string, last: string) =>
      `By ${unit.toLowerCase()}, ${from} to ${to}: minimum ${least}, maximum ${most}, last ${last}`,
    columns: 'Columns',
    region: (title: string) => `${title}: table`,
    next: 'Next page',
    previous: 'Previous page',
    sort: (column: string) => `Sort by ${column}`,
    page: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  },
  uploads: {
    title: 'Add data',
    drop: 'Drop files to add them',
    add: 'Add files',
    sending: 'Uploading',
    importing: 'Importing',
    there: 'A file with this name already exists.',
    replace: 'Replace',
    keepBoth: 'Keep both',
    close: 'Close',
    pasted: 'pasted',
    empty: 'This file is empty.',
    changed: (before: string, after: string, added: string, gone: string) =>
      [
        `${before} rows before, ${after} now.`,
        added ? `New columns: ${added}.` : '',
        gone ? `Removed columns: ${gone}.` : '',
      ]
        .filter(Boolean)
        .join(' '),
  },
};

export type DataMessages = typeof dataEn;
