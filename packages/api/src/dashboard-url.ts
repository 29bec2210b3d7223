import { everyTimeUnit, type Box, type FieldFilter } from '@belvedere/query';
import type { DashboardState } from './state.ts';

/*
 * A dashboard's state as a page's address, and back. Short and readable, since people look at links before they open them:
 *
 *   ?page=2&f.date=last+90+days&f.origin=["ATL","ORD"]&s.delays=delay:15..60
 *   &p.metric=mean_delay&compare=previous+year&t.by_day=month&b.by_day=haul&d.states=state:["GA"]
 *
 * A condition is `last 90 days`, `this month`, `from..below` (either end may be missing), `["a",null,3]`, `!["a"]` (all but these), `~text`; `any` clears a default.
 * A selection is boxes separated by `|`, each its conditions separated by `&`, with these marks escaped inside texts.
 * A parameter (`p.`) is its value: a number where it reads as one.
 * A tile shown by another grain of time (`t.`), a stretch of it (`z.`), broken out by a field (`b.`), opened mark by mark (`d.`: boxes, the outer one first);
 * a table sorted by a column (`o.`: `-delay` for the largest first), without some of its columns (`h.`: a list).
 */

export type Search = Readonly<Record<string, string>>;

export function searchFromState(state: DashboardState): Search {
  const entries: [string, string][] = state.page > 0 ? [['page', String(state.page + 1)]] : [];
  for (const [field, condition] of Object.entries(state.filters)) entries.push([`f.${field}`, condition ? writeCondition(condition) : 'any']);
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
  for (const [name, value] of Object.entries(state.parameters ?? {})) entries.push([`p.${name}`, typeof value === 'string' && (isNumber(value) || value.startsWith('"')) ? JSON.stringify(value) : String(value)]);
  if (state.compare) entries.push(['compare', typeof state.compare === 'string' ? state.compare : `${state.compare.from}..${state.compare.below}`]);
  return Object.fromEntries(entries);
}

/** What an address asks for; `isWhole` is false where part of it is not understood and was left out. */
export function stateFromSearch(search: Search): { readonly state: DashboardState; readonly isWhole: boolean } {
  const filters: Record<string, FieldFilter | null> = {};
  const selections: Record<string, Box[]> = {};
  const tiles: Record<string, NonNullable<DashboardState['tiles']>[string]> = {};
  const parameters: Record<string, string | number> = {};
  let compare: DashboardState['compare'];
  let isWhole = true;
  let page = 0;
  for (const [key, text] of Object.entries(search)) {
    try {
      if (key === 'page') page = readPage(text);
      else if (key.startsWith('f.')) filters[key.slice(2)] = text === 'any' ? null : readCondition(text);
      else if (key.startsWith('s.')) selections[key.slice(2)] = text.split('|').map(readBox);
      else if (key.startsWith('t.')) tiles[key.slice(2)] = { ...tiles[key.slice(2)], timeUnit: oneOf(text, everyTimeUnit) };
      else if (key.startsWith('z.')) tiles[key.slice(2)] = { ...tiles[key.slice(2)], zoom: readStretch(text) };
      else if (key.startsWith('b.')) tiles[key.slice(2)] = { ...tiles[key.slice(2)], color: text };
      else if (key.startsWith('o.')) tiles[key.slice(2)] = { ...tiles[key.slice(2)], sort: { by: text.replace(/^-/, ''), descending: text.startsWith('-') } };
      else if (key.startsWith('h.')) tiles[key.slice(2)] = { ...tiles[key.slice(2)], without: readNames(text) };
      else if (key.startsWith('d.')) tiles[key.slice(2)] = { ...tiles[key.slice(2)], drill: text.split('|').map(readBox) };
      else if (key.startsWith('p.')) parameters[key.slice(2)] = readParameter(text);
      else if (key === 'compare') compare = text.includes('..') ? readDays(text) : oneOf(text, ['previous period', 'previous year', 'nothing'] as const);
    } catch {
      isWhole = false;
    }
  }
  return { state: { page, filters, selections, ...(Object.keys(tiles).length > 0 && { tiles }), ...(Object.keys(parameters).length > 0 && { parameters }), ...(compare && { compare }) }, isWhole };
}

/** A state with another value for one parameter; none: its default. */
export function withParameter(state: DashboardState, name: string, value: string | number | undefined): DashboardState {
  const { parameters: { [name]: _, ...others } = {}, ...rest } = state;
  const parameters = value === undefined ? others : { ...others, [name]: value };
  return { ...rest, ...(Object.keys(parameters).length > 0 && { parameters }) };
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

function readNames(text: string): string[] {
  const names: unknown = JSON.parse(text);
  if (!Array.isArray(names) || !names.every(name => typeof name === 'string')) throw new RangeError(`${text} is no list of names`);
  return names;
}

function readParameter(text: string): string | number {
  if (isNumber(text)) return Number(text);
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

function readStretch(text: string): { from: string | number; below: string | number } {
  const condition = readCondition(text);
  if (!('from' in condition) || condition.from === undefined || condition.below === undefined) throw new RangeError(`${text} is no stretch`);
  return { from: condition.from, below: condition.below };
}

function readDays(text: string): { from: string; below: string } {
  const { from, below } = readStretch(text);
  if (typeof from !== 'string' || typeof below !== 'string' || from >= below) throw new RangeError(`${text} is no time`);
  return { from, below };
}

function oneOf<T extends string>(text: string, known: readonly T[]): T {
  const found = known.find(one => one === text);
  if (found === undefined) throw new RangeError(`${text} is not one of ${known.join(', ')}`);
  return found;
}

function readPage(text: string): number {
  const page = Number(text);
  if (!Number.isInteger(page) || page < 1 || page > 30) throw new RangeError(`${text} is no page`);
  return page - 1;
}

function writeBox(box: Box): string {
  return Object.entries(box)
    .map(([field, condition]) => `${escape(field)}:${escape(writeCondition(condition))}`)
    .join('&');
}

function readBox(text: string): Box {
  return Object.fromEntries(
    text.split('&').map(part => {
      const colon = part.indexOf(':');
      if (colon < 1) throw new RangeError(`${part} is no condition`);
      return [unescape(part.slice(0, colon)), readCondition(unescape(part.slice(colon + 1)))];
    }),
  );
}

export function writeCondition(condition: FieldFilter): string {
  if ('last' in condition) return `last ${condition.last}`;
  if ('this' in condition) return `this ${condition.this}`;
  if ('oneOf' in condition) return JSON.stringify(condition.oneOf);
  if ('noneOf' in condition) return `!${JSON.stringify(condition.noneOf)}`;
  if ('contains' in condition) return `~${condition.contains}`;
  return `${condition.from ?? ''}..${condition.below ?? ''}`;
}

/** @throws RangeError for a text that is no condition. */
export function readCondition(text: string): FieldFilter {
  if (text.startsWith('~') && text.length > 1) return { contains: text.slice(1) };
  const isNot = text.startsWith('![');
  if (isNot || text.startsWith('[')) {
    const values: unknown = JSON.parse(isNot ? text.slice(1) : text);
    const isList = Array.isArray(values) && values.length > 0 && values.every(value => value === null || ['string', 'number', 'boolean'].includes(typeof value));
    if (!isList) throw new RangeError(`${text} is no list of values`);
    const list = values as (string | number | boolean | null)[];
    return isNot ? { noneOf: list } : { oneOf: list };
  }
  const spoken = text.replace(/\bfiscal ?(q|y)/i, (_, initial: string) => `fiscal${initial.toUpperCase()}`);
  const last = /^last ([1-9]\d{0,4} (\w+?)s?)$/i.exec(spoken);
  if (last && everyTimeUnit.some(unit => unit === last[2])) return { last: last[1]! };
  const current = /^this (day|week|month|quarter|year|fiscalQuarter|fiscalYear)$/i.exec(spoken);
  if (current) return { this: current[1] as 'day' };
  const range = /^(.*?)\.\.(.*)$/.exec(text);
  if (!range) throw new RangeError(`${text} is no condition`);
  const [from, below] = [readEdge(range[1]!), readEdge(range[2]!)];
  return { ...(from !== undefined && { from }), ...(below !== undefined && { below }) };
}

function readEdge(text: string): string | number | undefined {
  if (text === '') return undefined;
  if (/^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2})?)?)?$/.test(text)) return text;
  const number = Number(text);
  if (!Number.isFinite(number)) throw new RangeError(`${text} is no edge of a range`);
  return number;
}

const escape = (text: string) => text.replace(/[%&|:]/g, mark => `%${mark.charCodeAt(0).toString(16)}`);
const unescape = (text: string) => text.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
