import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { feature } from 'topojson-client';
import { builtInShapes } from '@belvedere/document';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The regions of a map, as plain data. */
export interface MapShapes {
  readonly kind: 'world' | 'us' | 'own';
  readonly regions: readonly MapRegion[];
}

export interface MapRegion {
  readonly id: string;
  readonly name: string;
  /** The names and codes of its regions, as `regionKey` returns them. */
  readonly keys: readonly string[];
  readonly shape: Feature<Geometry>;
}

const states =
  'AL01 AK02 AZ04 AR05 CA06 CO08 CT09 DE10 DC11 FL12 GA13 HI15 ID16 IL17 IN18 IA19 KS20 KY21 LA22 ME23 MD24 MA25 MI26 MN27 MS28 MO29 MT30 NE31 NV32 NH33 NJ34 NM35 NY36 NC37 ND38 OH39 OK40 OR41 PA42 RI44 SC45 SD46 TN47 TX48 UT49 VT50 VA51 WA53 WV54 WI55 WY56 PR72';
const lettersByFips = new Map(states.split(' ').map(entry => [entry.slice(2), entry.slice(0, 2)]));

/**
 * Names of countries in official statistics (World Bank, United Nations), by ISO code.
 */
const officialNames: Readonly<Record<string, readonly string[]>> = {
  BO: ['Bolivia (Plurinational State of)'],
  BS: ['Bahamas, The'],
  CD: ['Congo, Dem. Rep.', 'Democratic Republic of the Congo'],
  CG: ['Congo, Rep.'],
  CI: ["Cote d'Ivoire"],
  CV: ['Cape Verde'],
  CZ: ['Czech Republic'],
  EG: ['Egypt, Arab Rep.'],
  GM: ['Gambia, The'],
  IR: ['Iran, Islamic Rep.'],
  KG: ['Kyrgyz Republic'],
  KP: ['Korea, Dem. Rep.', 'North Korea'],
  KR: ['Korea, Rep.', 'Republic of Korea', 'South Korea'],
  LA: ['Lao', 'Lao PDR'],
  MD: ['Republic of Moldova'],
  MK: ['Macedonia', 'Macedonia, FYR'],
  PS: ['West Bank and Gaza', 'State of Palestine'],
  RU: ['Russian Federation'],
  SK: ['Slovak Republic'],
  SY: ['Syrian Arab Republic'],
  SZ: ['Swaziland'],
  TR: ['Turkey', 'Türkiye'],
  TZ: ['United Republic of Tanzania'],
  US: ['United States of America'],
  VE: ['Venezuela, RB'],
  VN: ['Viet Nam'],
  YE: ['Yemen, Rep.'],
};

/** The built-in shapes; all others are files of the workspace. */
type BuiltIn = (typeof builtInShapes)[number];

export function isBuiltIn(shape: string): shape is BuiltIn {
  return (builtInShapes as readonly string[]).includes(shape);
}

/** Loads built-in shapes on demand. */
export async function loadShapes(shape: BuiltIn): Promise<MapShapes> {
  if (shape === 'countries') {
    const [{ default: atlas }, { default: codes }, { default: english }] = await Promise.all([
      import('world-atlas/countries-110m.json', { with: { type: 'json' } }),
      import('i18n-iso-countries/codes.json', { with: { type: 'json' } }),
      import('i18n-iso-countries/langs/en.json', { with: { type: 'json' } }),
    ]);
    const byNumber = new Map(
      (codes as string[][]).map(([two, three, number]) => [number!, { two: two!, three: three! }]),
    );
    const names = english.countries as Record<string, string | string[]>;
    const regions = regionsOf(atlas as unknown as Topology, 'countries');
    // “Congo” is an alias of two countries and the name of one, which wins.
    const own = new Map(regions.map(({ id, name }) => [regionKey(name), id]));
    return {
      kind: 'world',
      // Antarctica would fill a fifth of the map, and data rarely has it.
      regions: regions
        .filter(({ id }) => id !== '010')
        .map(region => {
          const code = byNumber.get(region.id);
          if (!code) return region;
          const keys = keysOf(
            region.id,
            region.name,
            code.two,
            code.three,
            ...[names[code.two] ?? []].flat(),
            ...(officialNames[code.two] ?? []),
          );
          return { ...region, keys: keys.filter(key => (own.get(key) ?? region.id) === region.id) };
        }),
    };
  }
  const { default: atlas } =
    shape === 'us-states'
      ? await import('us-atlas/states-10m.json', { with: { type: 'json' } })
      : await import('us-atlas/counties-10m.json', { with: { type: 'json' } });
  const regions = regionsOf(atlas as unknown as Topology, shape === 'us-states' ? 'states' : 'counties');
  if (shape === 'us-counties')
    return {
      kind: 'us',
      regions: regions.map(region => ({ ...region, keys: keysOf(region.id, String(Number(region.id))) })),
    };
  return {
    kind: 'us',
    regions: regions.map(region => ({
      ...region,
      keys: keysOf(region.id, region.name, lettersByFips.get(region.id) ?? region.id),
    })),
  };
}

/** The content of a GeoJSON file. */
export type GeoJson = FeatureCollection;

/**
 * Regions of a GeoJSON file: a value names one by its `id` or by any of its properties that are short texts
 * or whole numbers.
 */
export function shapesFromGeoJson(collection: GeoJson): MapShapes {
  return {
    kind: 'own',
    regions: collection.features
      .filter(one => one.geometry)
      .map((one, i) => {
        const properties = Object.values(one.properties ?? {})
          .filter(value => (typeof value === 'string' && value.length <= 80) || Number.isInteger(value))
          .map(String);
        const name = String(
          one.properties?.['name'] ?? one.properties?.['NAME'] ?? one.id ?? properties[0] ?? i + 1,
        );
        return {
          id: String(one.id ?? i),
          name,
          keys: keysOf(String(one.id ?? i), name, ...properties),
          shape: one,
        };
      }),
  };
}

/** The key by which regions are found: without case, accents, punctuation and leading zeros. */
export function regionKey(value: string | number | boolean | null): string {
  return String(value ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^the |[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=\d)/, '');
}

function keysOf(...names: readonly string[]): string[] {
  return [...new Set(names.map(regionKey))];
}

function regionsOf(atlas: Topology, object: string): MapRegion[] {
  return feature(atlas, atlas.objects[object] as GeometryCollection<{ name: string }>).features.map(shape => {
    // Disputed territories have no number.
    const id = shape.id === undefined ? shape.properties.name : String(shape.id);
    return { id, name: shape.properties.name, keys: keysOf(id, shape.properties.name), shape };
  });
}
