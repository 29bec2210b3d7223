import { plural as pluralOf } from '@belvedere/model';
import { pluralIn } from '../plural-in.ts';

const plural = pluralIn('en');

/** Home, search, trash and sites. */
export const homeEn = {
  home: {
    show: 'Show',
    showEverything: 'All',
    filters: {
      favourites: 'Favorites',
      shared: 'Shared with me',
      mine: 'Mine',
      verified: 'Verified',
      unused: 'Unused for 90 days',
    },
    tags: 'Tags',
    owner: 'Owner',
    views: 'Views, 7 days',
    formerUser: 'a former user',
    verifiedBy: (name: string, at: string, until: string) => `Verified by ${name} on ${at}, until ${until}`,
    noneHere: 'No dashboards here.',
    favourite: (title: string) => `Favorite: ${title}`,
    allFolders: 'All folders',
    moveFolder: 'Rename or move folder',
    moveTo: 'Name (use / for subfolders)',
    move: 'Move',
    showAll: (count: number) => `Show all ${count}`,
    moreTables: (count: number) => `More tables (${count})`,
    trash: (count: number) => `Trash (${count})`,
    restore: 'Restore',
    firstPage: 'Page 1',
    create: 'New dashboard',
    about: 'Model',
    empty: 'Create blank dashboard',
    fromOverview: 'Create from overview',
    title: 'Home',
    greeting: (title: string) => title,
    status: (dashboards: number, tables: number, reading: number, failed: number) =>
      [
        `${plural(dashboards, 'dashboard', 'dashboards')}, ${plural(tables, 'table', 'tables')}.`,
        reading > 0 ? `Importing ${plural(reading, 'table', 'tables')}.` : '',
        failed > 0 ? `${plural(failed, 'file', 'files')} could not be imported.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    saved: 'Dashboards',
    overviews: 'Table overviews',
    overviewsHint: 'Generated from your data. Save one to keep it.',
    all: 'All dashboards',
    name: 'Name',
    folder: 'Folder',
    tiles: 'Tiles',
    updated: 'Updated',
    state: 'Status',
    list: 'Dashboard list',
    chooseFiles: 'Choose files',
    addSample: 'Add sample data',
    emptyTitle: 'No data yet',
    emptyText:
      'Drop CSV, JSON, Parquet or Excel files here, or copy them to the workspace folder. Each becomes a table with an overview.',
    nothingSharedTitle: 'Nothing has been shared with you yet',
    nothingSharedText: 'Ask an admin of this workspace to share a dashboard or a folder with you.',
    statusShared: (dashboards: number) => `${plural(dashboards, 'dashboard', 'dashboards')}.`,
    thumbnail: (title: string) => `Preview of ${title}`,
    search: 'Search dashboards',
    noMatch: 'No dashboards match your search.',
  },
  phrases: {
    title: 'Charts',
    ask: 'Ask for a chart, or search…',
    examples: 'For example:',
    example: (measure: string, field: string) => `${measure} by ${field}`.toLowerCase(),
    exampleOverTime: (measure: string) => `${measure} by month`.toLowerCase(),
    exampleTop: (measure: string, field: string) =>
      `top 10 ${pluralOf(field.toLowerCase())} by ${measure.toLowerCase()}`,
    measure: (label: string) => `Measure: ${label}`,
    by: (label: string) => `By: ${label}`,
    filter: (label: string, condition: string) => `${label}: ${condition}`,
    limited: (title: string, count: number, isLowest: boolean) =>
      `${title} (${isLowest ? 'bottom' : 'top'} ${count})`,
    unknown: (words: string) => `Not understood: ${words}`,
  },
  trash: {
    title: 'Trash',
    hint: (days: number) =>
      `Dashboards, models, alerts and reports stay here for ${days === 1 ? 'a day' : `${days} days`}.`,
    kinds: { dashboard: 'Dashboard', model: 'Model', alert: 'Alert', report: 'Report' },
    empty: 'The trash is empty.',
  },
  exploring: {
    hint: 'Choose the data to make charts of.',
    search: 'Search models and fields',
    empty: 'No data yet. Add files on Home, or connect a database under Data.',
  },
  search: {
    title: 'Search',
    hint: 'Search titles, fields, models and tables, or ask for a chart.',
  },
  tilesWithErrors: (count: number) => (count === 1 ? '1 tile has an error' : `${count} tiles have errors`),
  site: {
    noFilter: (fields: string) => `This published page cannot filter by ${fields}.`,
    fixedFilter: 'This filter cannot be changed on this published page.',
    twoFilters: 'Two filters at a time, or one selection.',
    noSelections: 'Charts cannot be selected while a filter is set.',
    someSelections: 'Some charts cannot be selected while a filter is set.',
    someTogether: 'Not all filters and selections can be combined.',
    oneFilter: 'One filter or selection at a time.',
    failed: 'Could not load this page. Check the connection, then reload.',
  },
};

export type HomeMessages = typeof homeEn;
