import { DuckDBStructType, type DuckDBConnection } from '@duckdb/node-api';
import { columnsOf } from '../../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../sql-text.ts';

/**
 * Converts GeoJSON features in the temporary table `raw` to a table: their properties, and points as
 * longitude, latitude and an optional third number (RFC 7946, 3.1.1). Other geometries are kept as they are.
 */
export async function spreadFeatures(connection: DuckDBConnection, notes: string[]): Promise<void> {
  const types = await typesIn(connection);
  const geometry = types.get('geometry');
  if (
    !(geometry instanceof DuckDBStructType) ||
    !types.has('properties') ||
    !['type', 'coordinates'].every(name => geometry.entryNames.includes(name))
  )
    return;
  const others = await pointsAsColumns(connection, 'geometry.type', 'geometry.coordinates');
  const left = [...(others > 0 ? [] : ['geometry']), ...(types.has('type') ? ['type'] : [])];
  if (left.length > 0) await leaveOut(connection, left);
  if (others > 0)
    notes.push(
      'Shapes are imported as JSON text. To draw them, put the file into the workspace’s `maps/` folder and colour its regions by a column of this table.',
    );
}

/**
 * Converts the geometries of a TopoJSON document in `raw` to a table, each with its properties; points as
 * longitude and latitude. If there are several objects, the column `object` contains each row's object name.
 * @returns whether the document is TopoJSON
 */
export async function spreadTopology(connection: DuckDBConnection, notes: string[]): Promise<boolean> {
  const types = await typesIn(connection);
  const objects = types.get('objects');
  if (!(objects instanceof DuckDBStructType) || !types.has('arcs') || !types.has('type')) return false;
  const [kind] = await rowsOf(connection, 'select count(*), min(type) from raw');
  if (Number(kind![0]) !== 1 || kind![1] !== 'Topology') return false;
  const collections = objects.entryNames.filter((_, i) => {
    const type = objects.entryTypes[i]!;
    return type instanceof DuckDBStructType && type.entryNames.includes('geometries');
  });
  if (collections.length === 0) return false;
  const named = (name: string) => (collections.length > 1 ? `${text(name)} as object, ` : '');
  const parts = collections.map(
    name => `select ${named(name)}unnest(objects.${quoted(name)}.geometries, max_depth := 2) from raw`,
  );
  // A quantized document stores points as whole numbers of steps.
  const steps = types.has('transform')
    ? await rowsOf(
        connection,
        'select transform.scale[1]::double, transform.scale[2]::double, transform.translate[1]::double, transform.translate[2]::double from raw',
      )
    : [];
  await connection.run(`create or replace temp table raw as ${parts.join(' union all by name ')}`);
  notes.push(
    `The rows are the geometries of ${collections.map(name => `“${name}”`).join(', ')} in a TopoJSON document.`,
  );
  const inside = await typesIn(connection);
  const [scaleX, scaleY, moveX, moveY] = (steps[0] ?? [1, 1, 0, 0]).map(Number);
  const others =
    inside.has('coordinates') && inside.has('type')
      ? await pointsAsColumns(connection, 'type', 'coordinates', [
          `* ${scaleX} + ${moveX}`,
          `* ${scaleY} + ${moveY}`,
        ])
      : 1;
  await leaveOut(
    connection,
    ['arcs', 'coordinates'].filter(name => inside.has(name)),
  );
  if (others > 0)
    notes.push(
      'Lines and areas are not imported. To draw them, put a GeoJSON file of them into the workspace’s `maps/` folder and colour its regions by a column of this table.',
    );
  return true;
}

/**
 * Adds columns for a point's longitude, latitude and optional third number.
 * @param placed SQL that converts the first two numbers to degrees
 * @returns how many geometries are not points
 */
async function pointsAsColumns(
  connection: DuckDBConnection,
  type: string,
  coordinates: string,
  placed: readonly string[] = [],
): Promise<number> {
  const third = `try_cast(${coordinates}[3] as double) is not null`;
  const [found] = await rowsOf(
    connection,
    `select count(*) filter (where ${type} = 'Point'), count(*) filter (where ${type} <> 'Point'), count(*) filter (where ${type} = 'Point' and ${third}) from raw`,
  );
  const [points, others, elevated] = found!.map(Number);
  if (points === 0) return others!;
  const number = (n: number) =>
    `case when ${type} = 'Point' then try_cast(${coordinates}[${n}] as double) ${placed[n - 1] ?? ''} end`;
  const elevation = elevated! > 0 ? `, ${number(3)} as elevation` : '';
  await connection.run(
    `create or replace temp table raw as select *, ${number(1)} as longitude, ${number(2)} as latitude${elevation} from raw`,
  );
  return others!;
}

async function leaveOut(connection: DuckDBConnection, columns: readonly string[]): Promise<void> {
  if (columns.length > 0)
    await connection.run(
      `create or replace temp table raw as select * exclude (${columns.map(quoted).join(', ')}) from raw`,
    );
}

async function typesIn(
  connection: DuckDBConnection,
): Promise<Map<string, ReturnType<typeof columnsOf>[number]['engineType']>> {
  return new Map(
    columnsOf(await connection.run('select * from raw limit 0')).map(({ name, engineType }) => [
      name,
      engineType,
    ]),
  );
}
