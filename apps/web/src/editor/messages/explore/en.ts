/** Explore. */
export const exploreEn = {
  explore: {
    fields: 'Fields',
    staleLink: 'Part of this link could not be read and was ignored.',
    title: (model: string) => `Explore ${model}`,
    save: 'Save to dashboard',
    fresh: 'New dashboard',
    to: 'Dashboard',
    name: 'Name',
    find: 'Search fields',
    chart: 'Chart',
    rows: 'Rows',
    clear: 'Clear selections',
    put: (field: string) => `Add ${field} to the chart`,
    about: (type: string, distinct: string) =>
      `${type}, ${distinct} ${distinct === '1' ? 'value' : 'values'}`,
    empty: (share: string) => `${share} null`,
    more: (count: number) => `${count} more not shown`,
  },
};

export type ExploreMessages = typeof exploreEn;
