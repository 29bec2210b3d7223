import { sayAccess, type ProblemWords, type SourceAccess } from '@belvedere/api';

/** Every text of the interface, in English. A language is a file like this one; its type is this one's. */
/** `2 fiscalQuarters` as people write it. */
const fiscalApart = (text: string) => text.replace(/fiscal([QY])/, (_, initial: string) => `fiscal ${initial.toLowerCase()}`);

export const en = {
  /** The server tells of problems in English. */
  problems: undefined as ProblemWords | undefined,
  product: 'Belvedere',
  nav: { label: 'Main', home: 'Home', data: 'Data', menu: 'Menu', pinned: 'Dashboards' },
  header: { search: 'Search', theme: 'Switch between light and dark', skip: 'Skip to content' },
  connection: { lost: 'The connection to Belvedere is lost. What you see stays; it will catch up by itself.', lacking: 'A part of this page could not be fetched: there may be a newer Belvedere. What you see stays; loaded again, it is whole.', signedOut: 'This browser is no longer signed in. Run “npm start -- open PATH” on this computer and open the address that it prints. This page stays, and updates then.' },
  palette: { label: 'Go to or do', placeholder: 'Go to a dashboard or table, or do something…', empty: 'Nothing fits.', dashboards: 'Dashboards', overviews: 'Overviews', tables: 'Tables', actions: 'Do', toHome: 'Go to Home', toData: 'Go to Data', clear: 'Clear selections and filters', theme: 'Switch theme', api: 'Read the API documentation' },
  keys: {
    title: 'Keys', next: 'then', signs: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc', remove: 'Del', pageDown: 'Page ↓' }, letters: 'Letters and signs do something by themselves', lettersHint: 'Off, only keys with Ctrl or ⌘ are heard: for who speaks to the machine, or whose hand strays. This list is in the palette too.',
    everywhere: 'Everywhere', go: 'Go somewhere or do something', list: 'These keys', navigation: 'Show or hide the navigation',
    dashboard: 'On a dashboard', refresh: 'Ask anew', filters: 'To the filters', fullScreen: 'Full screen', kiosk: 'For a wall: the dashboard alone, its pages in turn', leaveKiosk: 'Leave (K)', clearSelections: 'Clear selections',
    tile: 'On a tile', toTile: 'From what is in it to the tile itself', walkTiles: 'To the next tile that way', intoTile: 'Into the tile', date: 'To the dates', chart: 'On a chart', walk: 'Walk the marks', select: 'Select the mark', brush: 'Brush', open: 'Open the mark', panels: 'To another of many charts', closer: 'Look more closely at times and numbers', farther: 'Look from farther away',
  },
  home: {
    favourite: (title: string) => `Favourite: ${title}`, allFolders: 'All folders', moveFolder: 'Rename or move the folder', moveTo: 'Its name (with / for folders)', move: 'Move', showAll: (count: number) => `Show all ${count}`, bin: (count: number) => `In the bin (${count})`, restore: 'Bring back', firstPage: 'Page 1', create: 'New dashboard', about: 'About', empty: 'Begin empty', fromOverview: 'Begin with the overview', title: 'Home',
    greeting: (title: string) => title,
    status: (dashboards: number, tables: number, reading: number, failed: number) =>
      [`${plural(dashboards, 'dashboard', 'dashboards')}, ${plural(tables, 'table', 'tables')}.`, reading > 0 ? `${plural(reading, 'table is', 'tables are')} being read.` : '', failed > 0 ? `${plural(failed, 'file', 'files')} could not be read.` : ''].filter(Boolean).join(' '),
    saved: 'Dashboards', overviews: 'Overviews of your tables', overviewsHint: 'Made from the data. Nothing is saved until you save it.',
    all: 'All dashboards', name: 'Name', folder: 'Folder', tiles: 'Tiles', updated: 'Updated', state: 'State',
    emptyTitle: 'Nothing here yet', emptyText: 'Drop CSV, JSON, Parquet or Excel files here, or put them into the folder: each becomes a table with an overview of its own, at once.',
    thumbnail: (title: string) => `Picture of ${title}`,
    search: 'Search dashboards', noMatch: 'No dashboard has that in its title, its texts or its fields.',
  },
  states: { ready: 'Ready', reading: 'Being read', broken: 'Has errors', waiting: 'Waiting', rejected: 'Could not be read', stopped: 'Stopped', saved: 'Saved', overview: 'Overview' },
  dashboard: {
    edit: 'Edit', pages: 'Pages', save: 'Save', saveAs: 'Save dashboard', saveName: 'Name', saveHint: 'It becomes a file in the folder “dashboards”, to read, change and review.', 
    dataTime: (time: string) => `Data to ${time}`, problems: (count: number) => `${plural(count, 'error', 'errors')} in this document`,
    readingTitle: 'Being read', readingText: 'The data of this dashboard is still being read. It opens by itself.',
    readingTable: (name: string, percent: number | undefined) => (percent === undefined ? name : `${name}: ${percent} %`),
    brokenTitle: 'This dashboard cannot be shown', brokenText: 'Its file has errors. Mend them and this page follows.',
    waitsFor: (source: string) => `“${source}” waits for your confirmation. Its tiles stay empty until then.`, confirmSource: 'Review and confirm',
    staleLink: 'Part of this link no longer fits the dashboard and was left out.',
    stale: (age: string) => `Stale: ${age} old`,
    zone: (zone: string) => `Times as in ${zone}`, takeAway: 'Download', print: 'Print',
  },
  notes: {
    menu: (count: number) => (count > 0 ? `Notes (${count})…` : 'Note what happened…'), title: 'What happened', hint: 'Drawn on this dashboard’s charts of time, for everyone who sees it.', add: 'New note', changeTitle: 'Change the note', from: 'Day, or first day', to: 'Last day (optional)', what: 'What happened', save: 'Save', cancel: 'Cancel', undo: 'Undo',
    order: 'It ends before it begins.', change: (text: string) => `Change “${text}”`, remove: (text: string) => `Remove “${text}”`, removed: (text: string) => `Removed: ${text}`,
  },
  views: {
    label: 'Your views', save: 'Save this view…', saveTitle: 'Save this view', saveHint: 'Filters, selections and what was changed about tiles, under a name of yours. Nobody else sees it.', name: 'Name', keep: 'Save', replaces: 'There is a view of this name; it is replaced.', remove: (name: string) => `Remove “${name}”`,
    asLeft: (what: string) => `As you left it (${what})`,
  },
  filters: {
    label: 'Filters', button: (count: number) => (count > 0 ? `Filters (${count})` : 'Filters'), all: 'All', any: 'Any time', clear: 'Clear', reset: 'Reset', apply: 'Apply', search: 'Search values', none: 'No value fits.', hint: 'Select in one chart, and the others follow.',
    cut: (count: number) => `The first ${count}; search for others.`, from: 'From', to: 'To', contains: 'Contains', relative: 'Relative range', relativeHint: 'last 30 days, this month',
    relativeError: 'Write it as `last 30 days` or `this month`.', presets: 'Ranges', last: (text: string) => `Last ${fiscalApart(text)}`, this: (unit: string) => `This ${fiscalApart(unit)}`, range: (from: string, to: string) => `${from} to ${to}`,
    notNumber: 'Not a number.', selected: (tile: string, what: string) => `${tile}: ${what}`, selectionOn: (tile: string) => `the selection on ${tile}`, removeSelection: (tile: string) => `Clear the selection on ${tile}`, locked: 'Locked',
    least: (value: string) => `at least ${value}`, below: (value: string) => `below ${value}`, calendar: 'Days', not: (values: string) => `all but ${values}`, removeFilter: (field: string) => `Clear the filter on ${field}`, compare: 'Compare', compareWith: { made: 'As made', 'previous period': 'Previous period', 'previous year': 'Previous year', nothing: 'Nothing', custom: 'Other days…' },
  },
  tile: {
    loading: 'Loading', forbidden: 'Kept from you', forbiddenText: 'This shows something that you may not see.', emptyTitle: 'Nothing to show', emptyText: 'No rows are left under the filters.', noRows: 'There are no rows.', emptyUnder: (filters: string) => `No rows are left under ${filters}.`, failed: 'This could not be answered', retry: 'Try again', asTable: 'Show as table', asChart: 'Show as chart', large: 'Show large', small: 'Show in the page',
    clear: 'Clear selection', compared: 'vs', nothingBefore: 'No data in the period before', zeroBefore: (zero: string) => `${zero} in the period before`, nothingToCompare: 'Set a range of dates to compare', comparisonNotOffline: 'Comparison not available offline', notApplied: (fields: string) => `Not filtered by ${fields}`, lastAnswer: (time: string) => `Source unreachable: as of ${time}`, filled: { zero: 'Zero where there is nothing', carry: 'The last value where there is nothing', interpolate: 'Straight on where there is nothing' }, nearBrush: 'Near while you brush', coarser: (unit: string) => `Shown by ${unit} to fit`, sampled: (rows: string, of: string) => `Near: ${rows} of ${of} rows`,
    outside: (share: string) => `${share} beyond the axis`, noValue: (share: string) => `${share} without a value`, 
    chartHelp: 'Arrow keys walk the marks, Enter selects, Shift and arrows brush, Escape clears.', of: 'of', selectedRange: (what: string) => `Selected ${what}`, cleared: 'Selection cleared',
    menu: 'More', rows: 'See the rows', rowsOfSelection: 'See the rows of the selection', rowsOf: (tile: string) => `The rows behind “${tile}”`, grain: 'Grain of time', breakOut: 'Break out by', open: 'Open the selected mark', goWith: 'Go on with the selection', asMade: 'As it was made', keepOnly: 'Keep only the selection', exclude: 'Exclude the selection',
    zoom: 'Look closely at the selection', zoomOut: 'Whole again', earlier: 'Earlier', later: 'Later',
    copyText: 'Copy as text', copyPicture: 'Copy as picture', copyLink: 'Copy link', takeAway: 'Download', trail: 'Opened marks', allOfIt: 'All', sinceBefore: 'Since the one before', points: (points: string) => `${points} points`, shareOfAll: 'Share of all', legendHint: 'Click for this one alone, with Shift to take it away',
  },
  units: { year: 'Year', quarter: 'Quarter', month: 'Month', week: 'Week', day: 'Day', hour: 'Hour', minute: 'Minute', fiscalQuarter: 'Fiscal quarter', fiscalYear: 'Fiscal year' },
  seeAs: { label: 'See as…', person: (name: string) => `See as ${name}`, now: (name: string) => `You see everything as ${name} does: their rows, their fields.`, back: 'Back to yourself' },
  taking: {
    making: (format: string) => `${format} is being made`, coming: (format: string, size: string) => `${format}: ${size} so far`, stop: 'Stop', close: 'Close',
    copied: 'Copied', notCopied: 'Could not be copied. Allow copying for this page in your browser, or download it.',
  },
  formats: { png: 'Picture (PNG)', svg: 'Drawing (SVG)', pdf: 'PDF', csv: 'Text (CSV)', xlsx: 'Excel (XLSX)', parquet: 'Parquet', html: 'One page that opens offline (HTML)' },
  pivot: { total: 'Total' },
  table: { course: (unit: string, from: string, to: string, least: string, most: string, last: string) => `By ${unit.toLowerCase()}, ${from} to ${to}: ${least} at least, ${most} at most, ${last} at the end`, columns: 'Columns', region: (title: string) => `${title}: table`, next: 'Next page', previous: 'Previous page', sort: (column: string) => `Sort by ${column}`, page: (from: string, to: string, total: string) => `${from}–${to} of ${total}` },
  data: {
    explore: 'Explore', title: 'Data', source: 'Files', status: (tables: number, rows: string) => `${plural(tables, 'table', 'tables')}, ${rows} rows`, table: 'Table', rows: 'Rows', columns: 'Columns', size: 'Size', files: 'Files', state: 'State',
    leftOut: 'Files that are no tables', sql: 'Ask in SQL', editModel: 'Edit its model', openOverview: 'Open overview', preview: 'First rows', columnsTitle: 'Columns', reportTitle: 'How it was read', type: 'Type', nulls: 'No value', empties: 'Empty', distinct: 'Distinct', range: 'Range', top: 'Most frequent', column: 'Column', search: 'Search columns',
    report: (read: string, kept: string, rejected: string) => `${read} rows read = ${kept} kept + ${rejected} rejected`, encoding: 'Encoding', delimiter: 'Separator', header: 'Header', yes: 'Yes', no: 'No', rejected: 'Rejected rows', downloadRejected: 'Download them as CSV', line: 'Line', reason: 'Reason', text: 'Text', tab: 'Tab', empty: 'No table yet. Put data files into the folder and they appear here.',
    columnsCut: (shown: number, total: number) => `${shown} of ${total} columns`,
  },
  uploads: {
    title: 'Adding data', drop: 'Drop files to add them to your data', add: 'Add files', sending: 'Sending', reading: 'Being read', there: 'There is a file of this name already.', replace: 'Replace it', keepBoth: 'Keep both', close: 'Close', pasted: 'pasted',
    changed: (before: string, after: string, added: string, gone: string) => [`${before} rows before, ${after} now.`, added ? `New columns: ${added}.` : '', gone ? `Columns gone: ${gone}.` : ''].filter(Boolean).join(' '),
  },
  sources: {
    title: 'Databases', empty: 'None yet. Connect PostgreSQL, MySQL, MariaDB or ClickHouse, and their tables are here as if they were files.', connect: 'Connect a database', kind: 'Kind of database',
    kinds: { postgres: 'PostgreSQL', mysql: 'MySQL or MariaDB', clickhouse: 'ClickHouse', duckdb: 'DuckDB', sqlite: 'SQLite' }, states: { unconfirmed: 'Not confirmed', unchecked: 'Not tried yet', connecting: 'Connecting', ready: 'Ready', degraded: 'In trouble', failed: 'Not reached' },
    name: 'Name', host: 'Host', port: 'Port', hostError: 'Its name or address alone: no https://, the port beside it', portError: 'A number from 1 to 65535', database: 'Database', user: 'User', password: 'Password', test: 'Test the connection', trying: 'Trying…', retry: 'Try again',
    hint: 'Paste an address such as postgres://user:password@host/database into “Host”, or fill in the fields. Give it a user who may only select. The connection becomes a file in the folder “sources”; the password is kept beside it, where only this account may read it.',
    reached: (server: string, tables: number) => `Reached: ${server}, ${plural(tables, 'table', 'tables')}.`, tables: (count: number) => plural(count, 'table', 'tables'), watermarks: 'How new the data is', tablesTitle: 'Tables', columns: (count: number) => plural(count, 'column', 'columns'), about: (rows: string) => `about ${rows} rows`, view: 'view', since: (time: string) => `since ${time}`, drift: 'What changed in its tables', search: 'Search tables',
    unconfirmed: 'This source came with the workspace. Once you trust it, Belvedere will:', access: (access: SourceAccess) => sayAccess(access), trust: 'Trust and connect', trustHint: 'Until then nothing is looked up, connected or sent. Trust it only if you know who made this workspace.', review: 'Review',
    change: 'Change the connection', unchanged: 'unchanged', changeHint: 'A password that was typed here belongs to its host, port and user: for others, type it again.',
  },
  reading: {
    progress: (percent: number, file: { readonly number: number; readonly of: number } | undefined) => `Being read, ${percent} %${file ? ` (file ${file.number.toLocaleString('en')} of ${file.of.toLocaleString('en')})` : ''}`,
    stop: 'Stop reading', again: 'Read again', stopped: 'Its reading was called off. What was read of it before, if anything, goes on serving.',
    title: 'How this table is read', open: 'Change how it is read', guess: 'As guessed', skip: 'Lines above the header', decimal: 'Numbers look like', dates: 'Dates begin with', nulls: 'Texts that mean no value', columns: 'Types of the columns', nested: 'Objects inside objects', nestings: { columns: 'Columns of their own', text: 'JSON as text' }, save: 'Save and read anew', cancel: 'Cancel',
    orders: { 'day first': 'The day', 'month first': 'The month', 'year first': 'The year' },
    hint: (table: string) => `What you decide is kept in the workspace as “tables/${table}.yaml”; the rest stays a guess.`,
    nearly: (column: string, type: string, fits: string, all: string) => `${fits} of ${all} values in “${column}” have the type “${type}”. The column stays text because of:`, decide: (type: string, misfits: number) => `Import as ${type}, leave out ${plural(misfits, 'value', 'values')}`, misfit: (value: string, file: string | undefined, line: number | undefined) => `“${value}”${file ? ` in ${file}` : ''}${line === undefined ? '' : `, line ${line.toLocaleString('en')}`}`,
    question: (columns: string, example: string) => `The dates in “${columns}” can be read in two ways (such as ${example}), and nothing in the file tells which. They are kept as text until you say what comes first:`,
  },
  explain: {
    button: 'Explain this number', title: (tile: string) => `How “${tile}” came to be`, value: 'Value', nothing: 'nothing', rows: 'Rows read', rowsOf: (rows: string, all: string) => `${rows} of ${all}`, nulls: 'Without a value', filters: 'Filters', none: 'None', policies: 'Row policies', unbound: 'They do not bind the owner', noPolicy: 'None binds this reader: no row is theirs', unfit: '· their attributes do not fit it', notApplied: 'Not applied', from: 'From', joins: 'Joined by', dataTime: 'Data to', zone: 'Times as in',
    owners: { model: '· by the model', reader: '· set here', dashboard: '· by the dashboard', tile: '· by this tile', selection: '· selected on', mark: '· the mark' },
  },
  types: { integer: 'whole number', decimal: 'decimal number', number: 'number', text: 'text', boolean: 'yes or no', date: 'date', time: 'date and time', instant: 'moment', other: 'nested' } as Record<string, string>,
  errors: { notFoundTitle: 'Not here', notFoundText: 'There is nothing at this address, or it is not shared with you.', goHome: 'Go to Home', brokenTitle: 'This page stopped', brokenText: 'A fault of Belvedere. Your data is untouched.', reload: 'Load again', unreachable: 'Belvedere does not answer. Is it still running?' },
  language: { title: 'Language', name: 'English' },
  editing: { line: (line: number, column: number) => `line ${line}, column ${column}` },
};

function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export type Messages = typeof en;
