import { searchFromState, stateFromSearch, type DashboardState, type Search } from '@belvedere/api';
import { readTiles, type Tile } from '@belvedere/document';
import { dataKinds } from '../../editor/encoding/kinds.ts';
import { chartId } from './explore-document.ts';

/*
 * What is explored as a page's address, and back: the chart as its tile, in JSON, the columns that are looked for, and what is selected,
 * as dashboards have it.
 *
 *   /explore/flights?chart={"kind":"bar","x":{"measure":"rows"},"y":{"field":"origin"}}&find=delay&s.c_haul=haul:["Short"]
 */

export interface Explored {
  /** None: the one that exploring begins with. */
  readonly chart: Tile | undefined;
  readonly find: string;
  readonly state: DashboardState;
}

export function searchFromExplored({ chart, find, state }: Explored): Search {
  return {
    ...(chart && { chart: JSON.stringify(chart) }),
    ...(find !== '' && { find }),
    ...searchFromState(state),
  };
}

/** What an address asks for; `isWhole` is false where part of it is not understood and was left out. */
export function exploredFromSearch({
  chart: text,
  find = '',
  ...rest
}: Search): Explored & { readonly isWhole: boolean } {
  const [tile, ...others] =
    text === undefined ? [] : (readTiles(`{${JSON.stringify(chartId)}: ${text}}`) ?? []);
  const chart =
    tile?.[0] === chartId && others.length === 0 && dataKinds.some(kind => kind === tile[1].kind)
      ? (tile[1] as Tile)
      : undefined;
  const { state, isWhole } = stateFromSearch(rest);
  return {
    chart,
    find,
    state: { ...state, page: 0 },
    isWhole: isWhole && (text === undefined || chart !== undefined),
  };
}
