import { isOneKind, isTimeZone, maxSearchLength, maxValues } from '@belvedere/document';
import { everyTimeUnit, isCalendarTime, type Box, type FieldFilter } from '@belvedere/query';
import type { DashboardState } from './state.ts';
import { stateBounds } from './state-bounds.ts';

/*
 * Converts a dashboard's state to a page's address and back. Addresses are short and readable, because people
 * look at links before they open them:
 *
 *   ?page=2&f.date=last+90+days&f.origin=["ATL","ORD"]&s.delays=delay:15..60
 *   &p.metric=mean_delay&compare=previous+year&zone=Asia/Tokyo&t.by_day=month&b.by_day=haul&d.states=state:["GA"]
 *
 * - A condition is `last 90 days`, `this month`, `from..below` (either end may be missing), `["a",null,3]`,
 *   `!["a"]` (all but these) or `~text`. `any` clears a default.
 * - A selection (`s.`) is a list of boxes separated by `|`, each a list of conditions separated by `&`. Texts escape
 *   these characters.
 * - A parameter (`p.`) is its value, as a number if it parses as one.
 * - A tile has a time grain (`t.`), a zoom range (`z.`), a breakout field (`b.`) and a drill path (`d.`: boxes, the
 *   outermost first). A table also has a sort column (`o.`: `-delay` for descending) and hidden columns (`h.`: a list).
 */

export type Search = Readonly<Record<string, string>>;

export function searchFromState(state: DashboardState): Search {
  const entries: [string, string][] = state.page > 0 ? [['page', String(state.page + 1)]] : [];
  for (const [field, condition] of Object.entries(state.filters))
    entries.push([`f.${field}`, condition ? writeCondition(condition) : 'any']);
  for (const [tile, boxes] of Object.entries(state.selections)) {
    if (boxes.length > 0) entries.push([`s.${tile}`, boxes.map(writeBox).join('|')]);
  }
  for (const [tile, { timeUnit, zoom, color, drill, sort, without }] of Object.entries(state.tiles ?? {})) {
    if (timeUnit) entries.push([`t.${tile}`, timeUnit]);
    if (zoom) entries.push([`z.${tile}`, `${zoom.from}..${zoom.below}`]);
    if (color) entries.push([`b.${tile}`, color]);
    if (sort) entries.push([`o.${tile}`, `${sort.descending ? '-' : ''}${sort.by}`]);
    if (without && without.length > 0) entries.push([`h.${tile}`, JSON.stringify(without)]);
    if (drill && drill.length > 0) entries.push([`d.${tile}`, drill.map(writeBox).join('|')]);
  }
  for (const [name, value] of Object.entries(state.parameters ?? {}))
    entries.push([
      `p.${name}`,
      typeof value === 'string' && (isNumber(value) || value.startsWith('"'))
        ? JSON.stringify(value)
        : String(value),
    ]);
  if (state.compare)
    entries.push([
      'compare',
      typeof state.compare === 'string' ? state.compare : `${state.compare.from}..${state.compare.below}`,
    ]);
  if (state.zone) entries.push(['zone', state.zone]);
  return Object.fromEntries(entries);
}

type Tiles = NonNullable<DashboardState['tiles']>;

/**
 * Parses a dashboard's state from an address. `isWhole` is false if a part was invalid or over a limit, and
 * was ignored. The state is valid for the server, whatever the address contains.
 */
export function stateFromSearch(search: Search): {
  readonly state: DashboardState;
  readonly isWhole: boolean;
} {
  const filters: Record<string, FieldFilter | null> = {};
  const selections: Record<string, Box[]> = {};
  const tiles: Record<string, Tiles[string]> = {};
  const parameters: Record<string, string | number> = {};
  const { fieldName, tileName } = stateBounds;
  const adjust = (tile: string, adjustment: Tiles[string]) =>
    put(tiles, tile, tileName, stateBounds.tiles, { ...tiles[tile], ...adjustment });
  const readers: Readonly<Record<string, (name: string, text: string) => void>> = {
    f: (field, text) =>
      put(filters, field, fieldName, stateBounds.filters, text === 'any' ? null : readCondition(text)),
    s: (tile, text) => put(selections, tile, tileName, stateBounds.tiles, readBoxes(text, stateBounds.boxes)),
    t: (tile, text) => adjust(tile, { timeUnit: oneOf(text, everyTimeUnit) }),
    z: (tile, text) => adjust(tile, { zoom: readStretch(text) }),
    b: (tile, text) => adjust(tile, { color: readName(text, fieldName) }),
    o: (tile, text) =>
      adjust(tile, {
        sort: { by: readName(text.replace(/^-/, ''), fieldName), descending: text.startsWith('-') },
      }),
    h: (tile, text) => adjust(tile, { without: readNames(text) }),
    d: (tile, text) => adjust(tile, { drill: readBoxes(text, stateBounds.opened) }),
    p: (name, text) =>
      put(parameters, name, stateBounds.parameterName, stateBounds.parameters, readParameter(text)),
  };
  let compare: DashboardState['compare'];
  let zone: string | undefined;
  let isWhole = true;
  let page = 0;
  for (const [key, text] of Object.entries(search)) {
    try {
      if (key === 'page') page = readPage(text);
      else if (key === 'compare')
        compare = text.includes('..')
          ? readDays(text)
          : oneOf(text, ['previous period', 'previous year', 'nothing'] as const);
      else if (key === 'zone') zone = readZone(text);
      else if (key[1] === '.' && Object.hasOwn(readers, key[0]!)) readers[key[0]!]!(key.slice(2), text);
    } catch {
      isWhole = false;
    }
  }
  return {
    state: {
      page,
      filters,
      selections,
      ...(Object.keys(tiles).length > 0 && { tiles }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(compare && { compare }),
      ...(zone !== undefined && { zone }),
    },
    isWhole,
  };
}

function put<T>(
  record: Record<string, T>,
  name: string,
  maxLength: number,
  maxEntries: number,
  value: T,
): void {
  // Assigning to `__proto__` would set the prototype instead of a key.
  if (readName(name, maxLength) === '__proto__') throw new RangeError(`${name} is not a valid name`);
  if (!Object.hasOwn(record, name) && Object.keys(record).length >= maxEntries)
    throw new RangeError(`more than ${maxEntries}`);
  record[name] = value;
}

function readName(text: string, longest: number): string {
  if (text === '' || text.length > longest) throw new RangeError(`${text} is not a valid name`);
  return text;
}

/** Returns the state with a new value for one parameter; undefined restores its default. */
export function withParameter(
  state: DashboardState,
  name: string,
  value: string | number | undefined,
): DashboardState {
  const { parameters: { [name]: _, ...others } = {}, ...rest } = state;
  const parameters = value === undefined ? others : { ...others, [name]: value };
  return { ...rest, ...(Object.keys(parameters).length > 0 && { parameters }) };
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

function readNames(text: string): string[] {
  const names: unknown = JSON.parse(text);
  if (
    !Array.isArray(names) ||
    names.length > stateBounds.columns ||
    !names.every(name => typeof name === 'string')
  )
    throw new RangeError(`${text} is not a list of names`);
  return names.map(name => readName(name, stateBounds.fieldName));
}

function readParameter(text: string): string | number {
  if (isNumber(text)) return Number(text);
  const read = text.startsWith('"') ? String(JSON.parse(text)) : text;
  if (read.length > stateBounds.parameterText) throw new RangeError(`${text} is too long`);
  return read;
}

function readStretch(text: string): { from: string | number; below: string | number } {
  const condition = readCondition(text);
  if (!('from' in condition) || condition.from === undefined || condition.below === undefined)
    throw new RangeError(`${text} is not a time range`);
  return { from: condition.from, below: condition.below };
}

function readDays(text: string): { from: string; below: string } {
  const { from, below } = readStretch(text);
  if (typeof from !== 'string' || typeof below !== 'string' || from >= below)
    throw new RangeError(`${text} is not a time`);
  return { from, below };
}

function readZone(text: string): string {
  if (!isTimeZone(text)) throw new RangeError(`${text} is not a time zone`);
  return text;
}

function oneOf<T extends string>(text: string, known: readonly T[]): T {
  const found = known.find(one => one === text);
  if (found === undefined) throw new RangeError(`${text} is not one of ${known.join(', ')}`);
  return found;
}

function readPage(text: string): number {
  const page = Number(text);
  if (!Number.isInteger(page) || page < 1 || page > stateBounds.pages)
    throw new RangeError(`${text} is not a page number`);
  return page - 1;
}

function writeBox(box: Box): string {
  return Object.entries(box)
    .map(([field, condition]) => `${escape(field)}:${escape(writeCondition(condition))}`)
    .join('&');
}

function readBoxes(text: string, maxBoxes: number): Box[] {
  const boxes = text.split('|');
  if (boxes.length > maxBoxes) throw new RangeError(`more than ${maxBoxes}`);
  return boxes.map(readBox);
}

function readBox(text: string): Box {
  const box: Record<string, FieldFilter> = {};
  for (const part of text.split('&')) {
    const colon = part.indexOf(':');
    if (colon < 1) throw new RangeError(`${part} is not a condition`);
    put(
      box,
      unescape(part.slice(0, colon)),
      stateBounds.fieldName,
      stateBounds.fieldsOfBox,
      readCondition(unescape(part.slice(colon + 1))),
    );
  }
  return box;
}

export function writeCondition(condition: FieldFilter): string {
  if ('last' in condition) return `last ${condition.last}`;
  if ('this' in condition) return `this ${condition.this}`;
  if ('oneOf' in condition) return JSON.stringify(condition.oneOf);
  if ('noneOf' in condition) return `!${JSON.stringify(condition.noneOf)}`;
  if ('contains' in condition) return `~${condition.contains}`;
  return `${condition.from ?? ''}..${condition.below ?? ''}`;
}

/** @throws RangeError for a text that is not a condition. */
export function readCondition(text: string): FieldFilter {
  if (text.startsWith('~') && text.length > 1 && text.length <= maxSearchLength + 1)
    return { contains: text.slice(1) };
  const isNot = text.startsWith('![');
  if (isNot || text.startsWith('[')) {
    const values: unknown = JSON.parse(isNot ? text.slice(1) : text);
    const isList =
      Array.isArray(values) &&
      values.length > 0 &&
      values.length <= maxValues &&
      values.every(value => value === null || ['string', 'number', 'boolean'].includes(typeof value));
    if (!isList) throw new RangeError(`${text} is not a list of values`);
    const list = values as (string | number | boolean | null)[];
    return isNot ? { noneOf: list } : { oneOf: list };
  }
  const normalized = text
    .replace(/\bfiscal ?(q|y)/i, (_, initial: string) => `fiscal${initial.toUpperCase()}`)
    .replace(/\bcomplete\b/i, 'complete');
  const last = /^last ([1-9]\d{0,4} (?:complete )?(\w+?)s?)$/i.exec(normalized);
  if (last && everyTimeUnit.some(unit => unit === last[2])) return { last: last[1]! };
  const current = /^this (day|week|month|quarter|year|fiscalQuarter|fiscalYear)$/i.exec(normalized);
  if (current) return { this: current[1] as 'day' };
  const range = /^(.*?)\.\.(.*)$/.exec(text);
  if (!range) throw new RangeError(`${text} is not a condition`);
  const [from, below] = [readEdge(range[1]!), readEdge(range[2]!)];
  if (!isOneKind(from, below)) throw new RangeError(`${text} is not a range`);
  return { ...(from !== undefined && { from }), ...(below !== undefined && { below }) };
}

function readEdge(text: string): string | number | undefined {
  if (text === '') return undefined;
  if (text.includes('-', 1) && isCalendarTime(text)) return text;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new RangeError(`${text} is not a valid bound of a range`);
  return number;
}

const escape = (text: string) => text.replace(/[%&|:]/g, mark => `%${mark.charCodeAt(0).toString(16)}`);
const unescape = (text: string) =>
  text.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
