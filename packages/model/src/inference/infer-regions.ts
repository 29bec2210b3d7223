import type { ColumnProfile } from '../table.ts';

const states =
  `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC
District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS
Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS
Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico,
NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode
Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA
Washington, WV West Virginia, WI Wisconsin, WY Wyoming, PR Puerto Rico`
    .split(/,\s+/)
    .flatMap(entry => [entry.slice(0, 2), entry.slice(3)]);
const stateNames = new Set(states.map(keyOf));

/** The codes of three letters in ISO 3166-1. */
const threeLetters = new Set(
  `ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS
BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV
CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM
GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN
IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE
LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS
MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK
PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR
SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY
USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM XKK YEM ZAF ZMB ZWE`.split(/\s+/),
);

/** Whether most of a column's known values are states of the USA, by name or letters. */
export function namesStates(column: ColumnProfile): boolean {
  return mostly(column, value => stateNames.has(keyOf(value)));
}

/** Whether most of a column's known values are countries, by English name or ISO code. */
export function namesCountries(column: ColumnProfile): boolean {
  const names = countryNames();
  return mostly(column, value => names.has(keyOf(value)) || threeLetters.has(value));
}

/** The shapes of a map that a column's values can be drawn on. */
export type RegionShape = 'countries' | 'us-states';

/**
 * The shapes that a column's values name, if they do. Letters such as `AA` and `JFK` are codes of many things,
 * so that they count only where the column's name says that they are places.
 */
export function regionShapeOf(column: ColumnProfile): RegionShape | undefined {
  if (column.type !== 'text') return undefined;
  const isSpelledOut = column.top.some(({ value }) => value !== null && value.length > 3);
  const saysSo = (words: RegExp) => isSpelledOut || words.test(column.name);
  if (saysSo(/countr|nation|\biso/i) && namesCountries(column)) return 'countries';
  if (saysSo(/state/i) && namesStates(column)) return 'us-states';
  return shapeOfValues(column);
}

/** Names of columns whose codes look like those of countries. */
const otherCodes = /lang|locale|currenc|carrier|airline|operator|curr\b/i;
/** Fewer codes of two letters are countries by chance: 249 of 676 are. Of three letters, one in seventy is. */
const minTwoLetters = 8;
const minThreeLetters = 5;

/**
 * The shapes that the values of a column name whatever the column is called: most are spelled out, or all are
 * codes of countries, or all of states. Codes that are both say neither.
 */
export function shapeOfValues(column: ColumnProfile): RegionShape | undefined {
  if (column.type !== 'text') return undefined;
  const values = [...new Set(knownValues(column))];
  const isSpelledOut = values.length > 0 && values.every(value => value.length > 3);
  if (isSpelledOut && values.length >= minThreeLetters) {
    if (namesCountries(column)) return 'countries';
    return namesStates(column) ? 'us-states' : undefined;
  }
  if (otherCodes.test(column.name)) return undefined;
  const areAll = (length: number, least: number, isOne: (value: string) => boolean) =>
    values.length >= least &&
    values.every(value => value.length === length && /^[A-Z]+$/.test(value) && isOne(value));
  if (areAll(3, minThreeLetters, value => threeLetters.has(value))) return 'countries';
  const areCountries = areAll(2, minTwoLetters, value => countryNames().has(keyOf(value)));
  const areStates = areAll(2, minThreeLetters, value => stateNames.has(keyOf(value)));
  if (areCountries === areStates) return undefined;
  return areCountries ? 'countries' : 'us-states';
}

let known: ReadonlySet<string> | undefined;

function countryNames(): ReadonlySet<string> {
  if (known) return known;
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = letters.flatMap(one =>
    letters.flatMap(other => {
      const name = english.of(one + other);
      return name === undefined ? [] : [one + other, name];
    }),
  );
  known = new Set(
    [...found, 'United States of America', 'Russian Federation', 'Turkey', 'Viet Nam'].map(keyOf),
  );
  return known;
}

function mostly(column: ColumnProfile, isOne: (value: string) => boolean): boolean {
  const values = knownValues(column);
  return values.length > 0 && values.filter(isOne).length >= values.length * 0.7;
}

function knownValues({ top, min, max }: ColumnProfile): readonly string[] {
  return [...top.map(({ value }) => value), min, max].filter(
    value => typeof value === 'string' && value !== '',
  ) as string[];
}

function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
}
