import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import readWorkbook from 'read-excel-file/node';

/**
 * At least five queries for every folder of the real data sets. A few lines of code compute each result from
 * the published files themselves, without using what the product imported.
 */

export const data = path.resolve(import.meta.dirname, '..', '..', '..', 'shared', 'data');
type Row = Readonly<Record<string, string>>;
type QueryResult = number | ReadonlyMap<string, number>;
/** A query: by which expression, of which measure, under which condition (a dimension `kept`); its result. */
export interface SharedQuery {
  readonly table: string;
  readonly by?: string;
  readonly measure: string;
  readonly only?: string;
  readonly result: () => Promise<QueryResult> | QueryResult;
}

/** A table of separated values, by RFC 4180: quotes, doubled quotes, line ends inside them. */
function parse(text: string, mark = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (isQuoted) {
      if (character === '"' && text[i + 1] === '"') cell += text[++i];
      else if (character === '"') isQuoted = false;
      else cell += character;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === mark) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[i + 1] === '\n') i++;
      row.push(cell);
      cell = '';
      if (row.length > 1 || row[0] !== '') rows.push(row);
      row = [];
    } else cell += character;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** The parsed files of a folder, read once for all of its queries. */
const read = new Map<string, Promise<unknown>>();
export const forgetFiles = () => read.clear();
function once<T>(key: string, make: () => Promise<T>): Promise<T> {
  const known = (read.get(key) as Promise<T> | undefined) ?? make();
  read.set(key, known);
  return known;
}

const textOf = (file: string, encoding: string) =>
  once(`${file} ${encoding}`, async () => {
    const bytes = await readFile(path.join(data, file));
    return new TextDecoder(encoding).decode(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  });

const csv = (
  file: string,
  {
    mark = ',',
    encoding = 'utf-8',
    names,
  }: { mark?: string; encoding?: string; names?: readonly string[] } = {},
) =>
  once(`rows of ${file} ${mark} ${encoding}`, async (): Promise<readonly Row[]> => {
    const rows = parse(await textOf(file, encoding), mark);
    const header = names ?? rows.shift()!;
    return rows.map(row => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
  });

const lines = (file: string) =>
  once(`lines of ${file}`, async () =>
    (await textOf(file, 'utf-8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>),
  );
const parquet = (file: string) =>
  once(
    `rows of ${file}`,
    async () =>
      parquetReadObjects({ file: await asyncBufferFromFile(path.join(data, file)), compressors }) as Promise<
        readonly Readonly<Record<string, unknown>>[]
      >,
  );

function grouped<T>(
  rows: readonly T[],
  key: (row: T) => string | null,
  value: (rows: readonly T[]) => number,
): Map<string, number> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const name = key(row) ?? '(nothing)';
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return new Map([...groups].map(([name, some]) => [name, value(some)]));
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
};
const count = (rows: readonly unknown[]) => rows.length;
/** The numbers of a column, without missing values. */
const numbers = (rows: readonly Row[], name: string) =>
  rows.flatMap(row =>
    row[name] === undefined || row[name].trim() === '' || Number.isNaN(Number(row[name]))
      ? []
      : [Number(row[name])],
  );
const words = (value: string) => (value === '' ? null : value);

export const sharedQueries: Readonly<Record<string, readonly SharedQuery[]>> = {
  chinook: [
    { table: 'track', measure: 'count(*)', result: async () => (await csv('chinook/Track.csv')).length },
    {
      table: 'track',
      by: '"GenreId"',
      measure: 'avg("Milliseconds")',
      result: async () =>
        grouped(
          await csv('chinook/Track.csv'),
          row => row['GenreId']!,
          rows => mean(numbers(rows, 'Milliseconds')),
        ),
    },
    {
      table: 'invoice',
      by: '"BillingCountry"',
      measure: 'sum("Total")',
      result: async () =>
        grouped(
          await csv('chinook/Invoice.csv'),
          row => row['BillingCountry']!,
          rows => sum(numbers(rows, 'Total')),
        ),
    },
    {
      table: 'invoice',
      by: 'year("InvoiceDate")',
      measure: 'count(*)',
      result: async () =>
        grouped(await csv('chinook/Invoice.csv'), row => row['InvoiceDate']!.slice(0, 4), count),
    },
    {
      table: 'customer',
      measure: 'count(distinct "Country")',
      result: async () => new Set((await csv('chinook/Customer.csv')).map(row => row['Country'])).size,
    },
    {
      table: 'track',
      measure: 'count(*)',
      only: '"Composer" is null',
      result: async () => (await csv('chinook/Track.csv')).filter(row => row['Composer'] === '').length,
    },
  ],
  northwind: [
    {
      table: 'orders',
      by: 'ship_country',
      measure: 'count(*)',
      result: async () => grouped(await csv('northwind/orders.csv'), row => row['ship_country']!, count),
    },
    {
      table: 'order_details',
      measure: 'sum(unit_price * quantity * (1 - discount))',
      result: async () =>
        sum(
          (await csv('northwind/order_details.csv')).map(
            row => Number(row['unit_price']) * Number(row['quantity']) * (1 - Number(row['discount'])),
          ),
        ),
    },
    {
      table: 'order_details',
      by: 'discount > 0',
      measure: 'sum(quantity)',
      result: async () =>
        grouped(
          await csv('northwind/order_details.csv'),
          row => String(Number(row['discount']) > 0),
          rows => sum(numbers(rows, 'quantity')),
        ),
    },
    {
      table: 'orders',
      by: 'year_month(order_date)',
      measure: 'count(*)',
      result: async () =>
        grouped(await csv('northwind/orders.csv'), row => row['order_date']!.slice(0, 7), count),
    },
    {
      table: 'orders',
      measure: "avg(date_diff('day', order_date, shipped_date))",
      result: async () =>
        mean(
          (await csv('northwind/orders.csv'))
            .filter(row => row['shipped_date'] !== '')
            .map(row => (Date.parse(row['shipped_date']!) - Date.parse(row['order_date']!)) / 86_400_000),
        ),
    },
  ],
  earthquakes: (() => {
    const quakes = async () =>
      (
        JSON.parse(await textOf('earthquakes/earthquakes.json', 'utf-8')) as {
          features: { properties: Record<string, unknown>; geometry: { coordinates: number[] } }[];
        }
      ).features;
    const magnitudes = async () =>
      (await quakes()).flatMap(one =>
        one.properties['mag'] === null ? [] : [Number(one.properties['mag'])],
      );
    return [
      { table: 'earthquakes', measure: 'count(*)', result: async () => (await quakes()).length },
      { table: 'earthquakes', measure: 'count(mag)', result: async () => (await magnitudes()).length },
      { table: 'earthquakes', measure: 'median(mag)', result: async () => median(await magnitudes()) },
      {
        table: 'earthquakes',
        by: 'floor(mag)',
        measure: 'count(*)',
        only: 'mag >= 0',
        result: async () =>
          grouped(
            (await magnitudes()).filter(mag => mag >= 0),
            mag => String(Math.floor(mag)),
            count,
          ),
      },
      {
        table: 'earthquakes',
        by: 'date("time")',
        measure: 'count(*)',
        result: async () =>
          grouped(
            await quakes(),
            one => new Date(Number(one.properties['time'])).toISOString().slice(0, 10),
            count,
          ),
      },
      {
        table: 'earthquakes',
        measure: 'max(elevation)',
        result: async () => Math.max(...(await quakes()).map(one => one.geometry.coordinates[2]!)),
      },
    ];
  })(),
  electricity: [
    {
      table: 'vic_elec',
      measure: 'sum("Demand")',
      result: async () => sum(numbers(await csv('electricity/vic_elec.csv'), 'Demand')),
    },
    {
      table: 'vic_elec',
      by: '"Holiday"',
      measure: 'avg("Temperature")',
      result: async () =>
        grouped(
          await csv('electricity/vic_elec.csv'),
          row => row['Holiday']!.toLowerCase(),
          rows => mean(numbers(rows, 'Temperature')),
        ),
    },
    {
      table: 'vic_elec',
      by: 'year_month("Date")',
      measure: 'max("Demand")',
      result: async () =>
        grouped(
          await csv('electricity/vic_elec.csv'),
          row => row['Date']!.slice(0, 7),
          rows => Math.max(...numbers(rows, 'Demand')),
        ),
    },
    {
      table: 'vic_elec',
      by: 'hour("Time")',
      measure: 'count(*)',
      result: async () =>
        grouped(
          await csv('electricity/vic_elec.csv'),
          row => String(Number(row['Time']!.slice(11, 13))),
          count,
        ),
    },
    {
      table: 'vic_elec',
      measure: 'quantile("Demand", 0.95)',
      result: async () => {
        const sorted = numbers(await csv('electricity/vic_elec.csv'), 'Demand').toSorted((a, b) => a - b);
        const place = 0.95 * (sorted.length - 1);
        return (
          sorted[Math.floor(place)]! + (sorted[Math.ceil(place)]! - sorted[Math.floor(place)]!) * (place % 1)
        );
      },
    },
  ],
  encodings: [
    {
      table: 'hofstede_semicolon',
      measure: 'avg(pdi)',
      result: async () => mean(numbers(await csv('encodings/hofstede-semicolon.csv', { mark: ';' }), 'pdi')),
    },
    {
      table: 'uber_us_dates',
      by: 'dispatching_base_number',
      measure: 'sum(trips)',
      result: async () =>
        grouped(
          await csv('encodings/uber-us-dates.csv'),
          row => row['dispatching_base_number']!,
          rows => sum(numbers(rows, 'trips')),
        ),
    },
    {
      table: 'uber_us_dates',
      by: 'month(date)',
      measure: 'count(*)',
      result: async () =>
        grouped(await csv('encodings/uber-us-dates.csv'), row => row['date']!.split('/')[0]!, count),
    },
    {
      table: 'volcanoes_latin1',
      by: '"Country"',
      measure: 'count(*)',
      result: async () =>
        grouped(
          await csv('encodings/volcanoes-latin1.csv', { encoding: 'windows-1252' }),
          row => words(row['Country']!),
          count,
        ),
    },
    {
      table: 'oecd_unemployment_bom',
      by: '"LOCATION"',
      measure: 'avg("Value")',
      result: async () =>
        grouped(
          await csv('encodings/oecd-unemployment-bom.csv'),
          row => row['LOCATION']!,
          rows => mean(numbers(rows, 'Value')),
        ),
    },
    {
      table: 'oecd_unemployment_bom',
      measure: 'count(distinct "TIME")',
      result: async () =>
        new Set((await csv('encodings/oecd-unemployment-bom.csv')).map(row => row['TIME'])).size,
    },
    {
      table: 'unicode_pangrams',
      measure: 'sum(length(phrase))',
      result: async () =>
        sum((await csv('encodings/unicode-pangrams.csv')).map(row => [...row['phrase']!].length)),
    },
  ],
  flights: (() => {
    let held:
      | Promise<{ month: string; delay: number | null; distance: number; origin: string }[]>
      | undefined;
    const trips = () =>
      (held ??= (async () => {
        const folder = path.join(data, 'flights', 'trips');
        const months = (await readdir(folder)).filter(name => /-0[67]$/.test(name));
        return (
          await Promise.all(
            months.map(async month =>
              (await parquet(`flights/trips/${month}/data_0.parquet`)).map(row => ({
                month: month.slice('month='.length),
                delay: row['delay'] === null || row['delay'] === undefined ? null : Number(row['delay']),
                distance: Number(row['distance']),
                origin: String(row['origin']),
              })),
            ),
          )
        ).flat();
      })());
    const only = "month in ('2001-06', '2001-07')";
    return [
      {
        table: 'trips',
        by: 'month',
        measure: 'count(*)',
        only,
        result: async () => grouped(await trips(), row => `${row.month}-01`, count),
      },
      {
        table: 'trips',
        measure: 'avg(delay)',
        only,
        result: async () => mean((await trips()).flatMap(row => row.delay ?? [])),
      },
      {
        table: 'trips',
        by: 'origin',
        measure: 'count(*)',
        only,
        result: async () => grouped(await trips(), row => row.origin, count),
      },
      {
        table: 'trips',
        measure: 'sum(distance)',
        only,
        result: async () => sum((await trips()).map(row => row.distance)),
      },
      {
        table: 'trips',
        measure: 'count(*) filter (where delay >= 60)',
        only,
        result: async () => (await trips()).filter(row => (row.delay ?? 0) >= 60).length,
      },
      {
        table: 'airports',
        by: 'state',
        measure: 'count(*)',
        result: async () => grouped(await csv('flights/airports.csv'), row => words(row['state']!), count),
      },
    ];
  })(),
  'airline-wide': (() => {
    const rows = () => parquet('airline-wide/airline_stats.parquet');
    const delays = async () =>
      (await rows()).flatMap(row =>
        row['ArrDelay'] === null || row['ArrDelay'] === undefined ? [] : [Number(row['ArrDelay'])],
      );
    return [
      { table: 'airline_stats', measure: 'count(*)', result: async () => (await rows()).length },
      {
        table: 'airline_stats',
        by: '"Carrier"',
        measure: 'count(*)',
        result: async () => grouped(await rows(), row => String(row['Carrier']), count),
      },
      { table: 'airline_stats', measure: 'avg("ArrDelay")', result: async () => mean(await delays()) },
      { table: 'airline_stats', measure: 'median("ArrDelay")', result: async () => median(await delays()) },
      {
        table: 'airline_stats',
        measure: 'count(distinct "Origin")',
        result: async () => new Set((await rows()).map(row => row['Origin'])).size,
      },
    ];
  })(),
  'github-events': (() => {
    const events = () => lines('github-events/events.ndjson');
    return [
      {
        table: 'events',
        by: 'type',
        measure: 'count(*)',
        result: async () => grouped(await events(), row => String(row['type']), count),
      },
      {
        table: 'events',
        measure: 'count(distinct actor_login)',
        result: async () =>
          new Set((await events()).map(row => (row['actor'] as { login: string }).login)).size,
      },
      {
        table: 'events',
        measure: 'count(org_login)',
        result: async () => (await events()).filter(row => row['org']).length,
      },
      {
        table: 'events',
        by: 'hour(created_at)',
        measure: 'count(*)',
        result: async () =>
          grouped(await events(), row => String(new Date(String(row['created_at'])).getUTCHours()), count),
      },
      {
        table: 'activities',
        by: 'type',
        measure: 'count(*)',
        result: async () =>
          grouped(await parquet('github-events/activities.parquet'), row => String(row['type']), count),
      },
    ];
  })(),
  'gun-checks': (() => {
    const rows = () => csv('gun-checks/nics-firearm-background-checks.csv');
    const table = 'nics_firearm_background_checks';
    return [
      { table, measure: 'sum(totals)', result: async () => sum(numbers(await rows(), 'totals')) },
      {
        table,
        by: 'state',
        measure: 'sum(handgun)',
        result: async () =>
          grouped(
            await rows(),
            row => row['state']!,
            list => sum(numbers(list, 'handgun')),
          ),
      },
      {
        table,
        by: 'year(month)',
        measure: 'sum(totals)',
        result: async () =>
          grouped(
            await rows(),
            row => row['month']!.slice(0, 4),
            list => sum(numbers(list, 'totals')),
          ),
      },
      { table, measure: 'count(permit)', result: async () => numbers(await rows(), 'permit').length },
      { table, measure: 'max(long_gun)', result: async () => Math.max(...numbers(await rows(), 'long_gun')) },
    ];
  })(),
  nycflights: [
    {
      table: 'flights',
      by: 'origin',
      measure: 'avg(dep_delay)',
      result: async () =>
        grouped(
          await csv('nycflights/flights.csv'),
          row => row['origin']!,
          rows => mean(numbers(rows, 'dep_delay')),
        ),
    },
    {
      table: 'flights',
      by: 'carrier',
      measure: 'median(arr_delay)',
      result: async () =>
        grouped(
          await csv('nycflights/flights.csv'),
          row => row['carrier']!,
          rows => median(numbers(rows, 'arr_delay')),
        ),
    },
    {
      table: 'flights',
      by: 'make_date(year, month, 1)',
      measure: 'count(*)',
      result: async () =>
        grouped(
          await csv('nycflights/flights.csv'),
          row => `${row['year']}-${row['month']!.padStart(2, '0')}-01`,
          count,
        ),
    },
    {
      table: 'planes',
      measure: 'count(*)',
      only: 'speed is null',
      result: async () => (await csv('nycflights/planes.csv')).filter(row => row['speed'] === '').length,
    },
    {
      table: 'weather',
      by: 'month',
      measure: 'stddev(temp)',
      result: async () =>
        grouped(
          await csv('nycflights/weather.csv'),
          row => row['month']!,
          rows => {
            const temps = numbers(rows, 'temp');
            return Math.sqrt(sum(temps.map(temp => (temp - mean(temps)) ** 2)) / (temps.length - 1));
          },
        ),
    },
  ],
  openflights: (() => {
    const airports = () =>
      csv('openflights/airports.dat', {
        names: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13'],
      });
    const routes = () =>
      csv('openflights/routes.dat', { names: ['0', '1', '2', '3', '4', '5', '6', '7', '8'] });
    return [
      { table: 'airports', measure: 'count(*)', result: async () => (await airports()).length },
      {
        table: 'airports',
        by: 'column03',
        measure: 'count(*)',
        result: async () => grouped(await airports(), row => row['3']!, count),
      },
      {
        table: 'airports',
        measure: 'max(column08)',
        result: async () => Math.max(...numbers(await airports(), '8')),
      },
      {
        table: 'routes',
        by: 'column2',
        measure: 'count(*)',
        result: async () => grouped(await routes(), row => row['2']!, count),
      },
      {
        table: 'routes',
        measure: 'count(distinct column4)',
        result: async () => new Set((await routes()).map(row => row['4'])).size,
      },
    ];
  })(),
  'pizza-orders': (() => {
    const rows = () => csv('pizza-orders/pizzaplace.csv');
    return [
      { table: 'pizzaplace', measure: 'sum(price)', result: async () => sum(numbers(await rows(), 'price')) },
      {
        table: 'pizzaplace',
        by: 'type',
        measure: 'sum(price)',
        result: async () =>
          grouped(
            await rows(),
            row => row['type']!,
            list => sum(numbers(list, 'price')),
          ),
      },
      {
        table: 'pizzaplace',
        measure: 'count(distinct id)',
        result: async () => new Set((await rows()).map(row => row['id'])).size,
      },
      {
        table: 'pizzaplace',
        by: 'isodow(date)',
        measure: 'count(*)',
        result: async () =>
          grouped(await rows(), row => String(((new Date(row['date']!).getUTCDay() + 6) % 7) + 1), count),
      },
      {
        table: 'pizzaplace',
        measure: '1.0 * sum(price) / count(distinct id)',
        result: async () =>
          sum(numbers(await rows(), 'price')) / new Set((await rows()).map(row => row['id'])).size,
      },
    ];
  })(),
  'police-stops': (() => {
    const rows = () => csv('police-stops/minneapolis-2017.csv');
    const table = 'minneapolis_2017';
    return [
      {
        table,
        by: 'problem',
        measure: 'count(*)',
        result: async () => grouped(await rows(), row => row['problem']!, count),
      },
      {
        table,
        measure: 'count(distinct neighborhood)',
        result: async () =>
          new Set((await rows()).map(row => row['neighborhood']).filter(name => name !== '' && name !== 'NA'))
            .size,
      },
      {
        table,
        by: '"policePrecinct"',
        measure: 'count(*)',
        result: async () =>
          grouped(
            await rows(),
            row => (row['policePrecinct'] === 'NA' ? null : row['policePrecinct']!),
            count,
          ),
      },
      { table, measure: 'avg(lat)', result: async () => mean(numbers(await rows(), 'lat')) },
      {
        table,
        by: 'year_month(date)',
        measure: 'count(*)',
        result: async () =>
          grouped(
            await rows(),
            row => new Date(row['date']!.replace(' ', 'T').replace('+00', 'Z')).toISOString().slice(0, 7),
            count,
          ),
      },
    ];
  })(),
  'survey-wide': (() => {
    const coders = () => csv('survey-wide/new-coders-2018.csv.gz');
    const known = (row: Row, name: string) =>
      row[name] !== undefined && row[name] !== '' && row[name] !== 'NA';
    return [
      { table: 'new_coders_2018', measure: 'count(*)', result: async () => (await coders()).length },
      {
        table: 'new_coders_2018',
        measure: 'avg(age)',
        result: async () =>
          mean((await coders()).filter(row => known(row, 'age')).map(row => Number(row['age']))),
      },
      {
        table: 'new_coders_2018',
        measure: 'median(age)',
        result: async () =>
          median((await coders()).filter(row => known(row, 'age')).map(row => Number(row['age']))),
      },
      {
        table: 'nutrition_1093_columns',
        measure: 'count(*)',
        result: async () => (await csv('survey-wide/nutrition-1093-columns.csv')).length,
      },
      {
        table: 'nutrition_1093_columns',
        by: 'cancer',
        measure: 'count(*)',
        result: async () =>
          grouped(
            await csv('survey-wide/nutrition-1093-columns.csv'),
            row => String(row['cancer'] === 'Yes'),
            count,
          ),
      },
    ];
  })(),
  'web-logs': (() => {
    const rows = () => lines('web-logs/access.ndjson');
    return [
      {
        table: 'access',
        by: 'status',
        measure: 'count(*)',
        result: async () => grouped(await rows(), row => String(row['status']), count),
      },
      {
        table: 'access',
        measure: 'sum(bytes)',
        result: async () => sum((await rows()).map(row => Number(row['bytes'] ?? 0))),
      },
      {
        table: 'access',
        measure: 'count(*)',
        only: 'bytes is null',
        result: async () => (await rows()).filter(row => row['bytes'] === null).length,
      },
      {
        table: 'access',
        by: 'hour("time")',
        measure: 'count(*)',
        result: async () =>
          grouped(await rows(), row => String(new Date(String(row['time'])).getUTCHours()), count),
      },
      {
        table: 'access',
        measure: 'count(distinct client)',
        result: async () => new Set((await rows()).map(row => row['client'])).size,
      },
    ];
  })(),
  workbooks: (() => {
    const sheet = async (file: string, name: string): Promise<Record<string, unknown>[]> => {
      const found = await once(
        file,
        async () =>
          (await readWorkbook(path.join(data, 'workbooks', file))) as unknown as {
            sheet: string;
            data: unknown[][];
          }[],
      );
      const [header, ...rows] = found.find(one => one.sheet === name)!.data;
      return rows
        .filter(row => row.some(cell => cell !== null))
        .map(row => Object.fromEntries(header!.map((title, i) => [String(title), row[i]])));
    };
    const january = () => sheet('supermarket_sales.xlsx', 'January');
    const table = 'supermarket_sales_january';
    return [
      { table, measure: 'count(*)', result: async () => (await january()).length },
      {
        table,
        measure: 'sum("Total")',
        result: async () => sum((await january()).map(row => Number(row['Total']))),
      },
      {
        table,
        by: '"City"',
        measure: 'count(*)',
        result: async () => grouped(await january(), row => String(row['City']), count),
      },
      {
        table,
        by: '"Payment"',
        measure: 'avg("Rating")',
        result: async () =>
          grouped(
            await january(),
            row => String(row['Payment']),
            rows => mean(rows.map(row => Number(row['Rating']))),
          ),
      },
      {
        table: 'supermarket_sales_march',
        measure: 'sum("Quantity")',
        result: async () =>
          sum((await sheet('supermarket_sales.xlsx', 'March')).map(row => Number(row['Quantity']))),
      },
    ];
  })(),
};
