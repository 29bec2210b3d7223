import { distinctName } from '../nested/nested-columns.ts';
import { clockText, decimalText, momentText, structType } from '../csv/typed-lines.ts';
import type { AvroBytes } from './avro-bytes.ts';

/** How the values of an Avro type are read: to JSON texts that the engine casts to a type of SQL. */
interface AvroColumn {
  readonly type: string;
  readonly read: (bytes: AvroBytes) => string;
}

export interface AvroField extends AvroColumn {
  readonly name: string;
}

type Schema = Readonly<Record<string, unknown>> & { readonly type: string };

/** Deeper values are of a type that contains itself, or meant to harm. */
const deepest = 256;
/** Types, values of enumerations and fields of a schema, whose named types count wherever they are referred to. */
const maxParts = 500_000;
/** Enough for more digits than any database stores. */
const maxDecimalBytes = 1024;

/**
 * The columns of a file whose rows are records; a file of other values has one column `value`.
 * @param schema the parsed schema of an Avro file
 * @throws RangeError if it is no schema
 */
export function avroFields(schema: unknown): readonly AvroField[] {
  const columns = new Columns(new Map(), 'typed');
  const whole = isRecord(schema) ? columns.fieldsOf(schema, '', []) : undefined;
  return whole ?? [{ name: 'value', ...columns.of(schema, '', []) }];
}

type NamedSchemas = Map<string, { readonly schema: Schema; readonly space: string }>;

class Columns {
  readonly #named: NamedSchemas;
  readonly #kind: 'typed' | 'json';
  /** Reads what is within texts of JSON, so that it is not quoted again at each level. */
  #json: Columns | undefined;
  /** Of types that contain themselves, by name. */
  readonly #recursive = new Map<string, AvroColumn>();
  #parts = 0;

  constructor(named: NamedSchemas, kind: 'typed' | 'json') {
    this.#named = named;
    this.#kind = kind;
  }

  /** @param inside the names of the records that contain this */
  of(given: unknown, space: string, inside: readonly string[]): AvroColumn {
    this.#count(1);
    if (Array.isArray(given)) return this.#union(given, space, inside);
    if (isObject(given) && typeof given['type'] !== 'string') return this.of(given['type'], space, inside);
    const schema = (isObject(given) ? given : { type: given }) as Schema;
    const primitive = Object.hasOwn(primitives, schema.type) ? primitives[schema.type] : undefined;
    if (primitive) return primitive(schema);
    switch (schema.type) {
      case 'record':
      case 'error':
        return structOf(this.fieldsOf(schema, space, inside));
      case 'enum': {
        this.#name(schema, space);
        this.#count(listOf(schema['symbols']).length);
        const symbols = listOf(schema['symbols']).map(symbol => JSON.stringify(String(symbol)));
        return { type: 'VARCHAR', read: bytes => symbols[bytes.count()] ?? missing() };
      }
      case 'fixed':
        this.#name(schema, space);
        return binary(schema, sizeOf(schema['size']));
      case 'array':
        return listAs(this.of(schema['items'], space, inside));
      case 'map': {
        const values = this.of(schema['values'], space, inside);
        const type = structType([
          { name: 'key', type: 'VARCHAR' },
          { name: 'value', type: values.type },
        ]);
        return listAs({ type, read: bytes => `{"key":${bytes.text()},"value":${values.read(bytes)}}` });
      }
      default:
        return this.#reference(schema.type, space, inside);
    }
  }

  fieldsOf(schema: Schema, space: string, inside: readonly string[]): AvroField[] {
    const { name, space: own } = this.#name(schema, space);
    const taken = new Set<string>();
    return listOf(schema['fields']).map(field => {
      if (!isObject(field) || !isName(field['name'])) throw new RangeError('no schema');
      const column = this.of(field['type'], own, [...inside, name]);
      return { name: distinctName(field['name'], taken), ...column };
    });
  }

  #union(branches: readonly unknown[], space: string, inside: readonly string[]): AvroColumn {
    const columns = branches.map(branch => (branch === 'null' ? undefined : this.of(branch, space, inside)));
    const types = new Set(columns.flatMap(column => column?.type ?? []));
    const [type = 'VARCHAR', ...others] = types;
    const read = (bytes: AvroBytes) => {
      const branch = bytes.count();
      if (branch >= columns.length) missing();
      return columns[branch]?.read(bytes) ?? 'null';
    };
    if (others.length === 0) return { type, read };
    return this.#asJsonText(json => (json === this ? { type, read } : json.of(branches, space, inside)));
  }

  /** A column of JSON texts; within one, the JSON itself. */
  #asJsonText(columnOf: (json: Columns) => AvroColumn): AvroColumn {
    if (this.#kind === 'json') return { ...columnOf(this), type: 'VARCHAR' };
    let column: AvroColumn | undefined;
    const read = (bytes: AvroBytes) => {
      column ??= columnOf((this.#json ??= new Columns(this.#named, 'json')));
      return asText(column.read(bytes));
    };
    return { type: 'VARCHAR', read };
  }

  /** A type by its name. One that contains itself is JSON text from there on. */
  #reference(type: string, space: string, inside: readonly string[]): AvroColumn {
    const name = type.includes('.') || space === '' ? type : `${space}.${type}`;
    const found = this.#named.get(name) ?? this.#named.get(type) ?? missing();
    const isInside = inside.includes(name) || inside.includes(type);
    if (!isInside) return this.of(found.schema, found.space, inside);
    return this.#asJsonText(json => ({
      type: 'VARCHAR',
      read: bytes => bytes.deeper(deepest, json.#recursiveColumn(name, found).read),
    }));
  }

  #recursiveColumn(name: string, { schema, space }: { schema: Schema; space: string }): AvroColumn {
    const known = this.#recursive.get(name);
    if (known) return known;
    const column = this.of(schema, space, []);
    this.#recursive.set(name, column);
    return column;
  }

  #count(parts: number): void {
    this.#parts += parts;
    if (this.#parts > maxParts) throw new RangeError('no schema');
  }

  #name(schema: Schema, outer: string): { readonly name: string; readonly space: string } {
    const given = String(schema['name']);
    const dot = given.lastIndexOf('.');
    const space = dot >= 0 ? given.slice(0, dot) : String(schema['namespace'] ?? outer);
    const name = dot >= 0 || space === '' ? given : `${space}.${given}`;
    this.#named.set(name, { schema, space: outer });
    return { name, space };
  }
}

const instants: Readonly<Record<string, bigint>> = {
  'timestamp-millis': 1000n,
  'timestamp-micros': 1_000_000n,
  'timestamp-nanos': 1_000_000_000n,
};

const primitives: Readonly<Record<string, (schema: Schema) => AvroColumn>> = {
  // Each is written where it is used: a type of null has no values.
  null: () => ({ type: 'VARCHAR', read: () => 'null' }),
  boolean: () => ({ type: 'BOOLEAN', read: bytes => (bytes.byte() === 0 ? 'false' : 'true') }),
  int: ({ logicalType }) => {
    if (logicalType === 'date') return { type: 'DATE', read: bytes => `"${dayText(bytes.whole())}"` };
    if (logicalType === 'time-millis')
      return { type: 'VARCHAR', read: bytes => `"${clockText(bytes.whole(), 1000n)}"` };
    return { type: 'INTEGER', read: bytes => within(bytes.whole(), 2n ** 31n) };
  },
  long: ({ logicalType }) => {
    if (logicalType === 'time-micros')
      return { type: 'VARCHAR', read: bytes => `"${clockText(bytes.whole(), 1_000_000n)}"` };
    const kind = String(logicalType);
    const perSecond = instants[kind.replace(/^local-/, '')];
    if (perSecond === undefined) return { type: 'BIGINT', read: bytes => String(bytes.whole()) };
    const type = kind.startsWith('local-') ? 'TIMESTAMP' : 'TIMESTAMPTZ';
    return { type, read: bytes => `"${momentText(bytes.whole(), perSecond)}"` };
  },
  float: () => ({ type: 'FLOAT', read: bytes => numberText(bytes.float()) }),
  double: () => ({ type: 'DOUBLE', read: bytes => numberText(bytes.double()) }),
  string: () => ({ type: 'VARCHAR', read: bytes => bytes.text() }),
  bytes: schema => binary(schema),
};

/** @param size of fixed values; others are preceded by theirs */
function binary(schema: Schema, size?: number): AvroColumn {
  const bytesOf = (bytes: AvroBytes) => bytes.take(size ?? bytes.count());
  const { logicalType, precision, scale = 0 } = schema;
  const isDecimal =
    logicalType === 'decimal' &&
    isSize(precision) &&
    precision > 0 &&
    precision < maxDecimalBytes &&
    isSize(scale) &&
    scale <= precision;
  if (!isDecimal)
    return { type: 'VARCHAR', read: bytes => `"${bytesOf(bytes).toString('hex').toUpperCase()}"` };
  const type = precision > 38 ? 'VARCHAR' : `DECIMAL(${precision}, ${scale})`;
  const below = 10n ** BigInt(precision);
  return { type, read: bytes => `"${decimalText(within(signed(bytesOf(bytes)), below), scale)}"` };
}

/** A number as text. @throws RangeError beyond the numbers of its type, which the engine would not read */
function within(value: bigint, below: bigint): string {
  if (value >= below || value < -below) throw new RangeError('a number too large for its type');
  return String(value);
}

/** A number of two's complement, the largest byte first. */
function signed(bytes: Buffer): bigint {
  if (bytes.length > maxDecimalBytes) throw new RangeError('a decimal of too many digits');
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
}

function dayText(day: bigint): string {
  return momentText(day * 86_400n, 1n).replace(/ \d\d:\d\d:\d\d/, '');
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}

/** A list, written in pieces: counts with as many items, the last of none. */
function listAs(items: AvroColumn): AvroColumn {
  const read = (bytes: AvroBytes) => {
    const all: string[] = [];
    for (let count = bytes.pieceCount(); count > 0; count = bytes.pieceCount())
      for (let i = 0; i < count; i++) all.push(items.read(bytes));
    return bytes.made(`[${all.join(',')}]`);
  };
  return { type: `${items.type}[]`, read };
}

function structOf(fields: readonly AvroField[]): AvroColumn {
  return fields.length === 0
    ? { type: 'VARCHAR', read: () => 'null' }
    : { type: structType(fields), read: bytes => rowText(fields, bytes) };
}

/** A record as a JSON object. */
export function rowText(fields: readonly AvroField[], bytes: AvroBytes): string {
  return bytes.made(
    `{${fields.map(({ name, read }) => `${JSON.stringify(name)}:${read(bytes)}`).join(',')}}`,
  );
}

/** Any JSON as the text of a column; texts stay as they are. */
function asText(json: string): string {
  return json === 'null' || json.startsWith('"') ? json : JSON.stringify(json);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRecord(schema: unknown): schema is Schema {
  return isObject(schema) && (schema['type'] === 'record' || schema['type'] === 'error');
}

/** SQL has no other names. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function sizeOf(value: unknown): number {
  return isSize(value) ? value : missing();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : missing();
}

function missing(): never {
  throw new RangeError('the schema or a value refers to what is not there');
}
