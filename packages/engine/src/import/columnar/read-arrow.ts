import {
  CompressionType,
  setCompressionCodec,
  tableFromIPC,
  Type,
  type Column,
  type DataType,
  type Field,
  type Table,
} from '@uwdata/flechette';
import { zstdDecompressSync } from 'node:zlib';
import { readRegularFile } from '../../regular-file.ts';
import { unpackLz4 } from './lz4-frame.ts';
import { distinctName } from '../nested/nested-columns.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { ImportError } from '../report.ts';
import {
  clockText,
  decimalText,
  momentText,
  structType,
  writeLines,
  type TypedLines,
} from '../csv/typed-lines.ts';

const maxBytes = 2 ** 31 - 1;

/**
 * Converts an Arrow file (Feather version 2, or a stream) to lines of JSON.
 * @throws ImportError if it is unreadable
 */
export async function arrowAsLines(
  file: string,
  target: string,
  produced: UnpackedBytes,
): Promise<TypedLines> {
  try {
    return await writeTable(file, target, produced);
  } catch (error) {
    throw damaged(file, error as Error);
  }
}

async function writeTable(file: string, target: string, produced: UnpackedBytes): Promise<TypedLines> {
  const table = tableIn(await bytesOf(file), file, produced);
  const taken = new Set<string>();
  const columns = table.schema.fields.map(({ name, type }) => ({
    name: distinctName(name, taken),
    ...columnOf(type),
  }));
  if (columns.length === 0) throw new ImportError(file, undefined, 'This Arrow file has no columns.');
  const keys = columns.map(({ name }) => JSON.stringify(name));
  const parts = table.children.map(({ data }: Column<unknown>) => data);
  function* lines() {
    for (const [n, batch] of (parts[0] ?? []).entries()) {
      for (let row = 0; row < batch.length; row++) {
        const cells = columns.map(({ write }, i) => {
          const value: unknown = parts[i]![n]!.at(row);
          return value === null || value === undefined ? '' : `${keys[i]!}:${write(value)}`;
        });
        yield `{${cells.filter(cell => cell !== '').join(',')}}`;
      }
    }
  }
  const { longestLine } = await writeLines(target, lines(), produced);
  const durations = columns.filter(({ isDuration }) => isDuration).map(({ name }) => `“${name}”`);
  const notes =
    durations.length > 0
      ? [`${durations.join(', ')} ${durations.length === 1 ? 'is a duration' : 'are durations'}, in seconds.`]
      : [];
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: table.numRows,
    longestLine,
    notes,
  };
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readRegularFile(file, { maxBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new ImportError(
        file,
        undefined,
        'Arrow files larger than 2 GiB are not supported. Convert the file to Parquet, or split it.',
      );
    throw error;
  }
}

function tableIn(bytes: Buffer, file: string, produced: UnpackedBytes): Table {
  if (bytes.subarray(0, 4).toString('latin1') === 'FEA1')
    throw new ImportError(
      file,
      undefined,
      'Feather version 1 is not supported. Save the file as Feather version 2 (the default of pandas since 2020) or as Parquet.',
    );
  let unpacked = bytes.length;
  const unpack = (how: (packed: Uint8Array, length: number) => Uint8Array) => ({
    encode: (): never => {
      throw new TypeError('only read');
    },
    decode: (packed: Uint8Array, length: number) => {
      produced.add(length);
      unpacked += length;
      return how(packed, length);
    },
  });
  setCompressionCodec(CompressionType.LZ4_FRAME, unpack(unpackLz4));
  setCompressionCodec(
    CompressionType.ZSTD,
    unpack((packed, length) => zstdDecompressSync(packed, { maxOutputLength: Math.max(1, length) })),
  );
  const table = tableFromIPC(bytes, { useBigInt: true, useBigIntTimestamp: true, useDecimalInt: true });
  // Except for run-length encoding, each value needs at least one bit. A damaged count would otherwise be
  // written out row by row.
  const hasRuns = table.schema.fields.some(({ type }) => type.typeId === Type.RunEndEncoded);
  if (!hasRuns && table.numRows > unpacked * 8) throw new RangeError('more rows than there are bits');
  produced.addCells(table.numRows * table.numCols);
  return table;
}

/** The library's error messages on damaged files describe its internals, so they are replaced. */
function damaged(file: string, error: Error): Error {
  // System errors have a code, as zlib errors do. Of these, only zlib errors are caused by the file.
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ImportError || (code !== undefined && !/^(ERR_|ZSTD_)/.test(code))) return error;
  return new ImportError(
    file,
    undefined,
    'This Arrow file is damaged or incomplete. Write it again, or save it as Parquet.',
  );
}

interface WrittenColumn {
  readonly type: string;
  /** Writes a non-null value as JSON. */
  readonly write: (value: unknown) => string;
  readonly isDuration?: boolean;
}

const asText = (value: unknown) => JSON.stringify(String(value));
const asJson = (value: unknown) =>
  JSON.stringify(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)));
const ticks = [1n, 1000n, 1_000_000n, 1_000_000_000n] as const;

function columnOf(type: DataType): WrittenColumn {
  switch (type.typeId) {
    case Type.Dictionary:
      return columnOf(type.dictionary);
    case Type.RunEndEncoded:
      return columnOf(type.children[1].type);
    case Type.Int:
      return {
        type: `${type.signed ? '' : 'U'}${type.bitWidth === 64 ? 'BIGINT' : type.bitWidth === 32 ? 'INTEGER' : type.bitWidth === 16 ? 'SMALLINT' : 'TINYINT'}`,
        write: String,
      };
    case Type.Float:
      return { type: 'DOUBLE', write: value => (Number.isFinite(value) ? String(value) : asText(value)) };
    case Type.Decimal:
      return type.precision > 38
        ? { type: 'VARCHAR', write: value => asText(decimalText(value, type.scale)) }
        : {
            type: `DECIMAL(${type.precision}, ${Math.max(0, type.scale)})`,
            write: value => asText(decimalText(value, type.scale)),
          };
    case Type.Bool:
      return { type: 'BOOLEAN', write: String };
    case Type.Date:
      return {
        type: 'DATE',
        write: value =>
          asText(momentText(BigInt(Math.round(Number(value))), 1000n).replace(/ \d\d:\d\d:\d\d/, '')),
      };
    case Type.Timestamp:
      return {
        type: type.timezone === null ? 'TIMESTAMP' : 'TIMESTAMPTZ',
        write: value => asText(momentText(BigInt(value as bigint), ticks[type.unit])),
      };
    case Type.Time:
      return {
        type: 'VARCHAR',
        write: value => asText(clockText(BigInt(value as bigint), ticks[type.unit])),
      };
    case Type.Duration:
      return {
        type: 'DOUBLE',
        write: value => String(Number(value) / Number(ticks[type.unit])),
        isDuration: true,
      };
    case Type.Binary:
    case Type.LargeBinary:
    case Type.BinaryView:
    case Type.FixedSizeBinary:
      return {
        type: 'VARCHAR',
        write: value =>
          asText(
            Buffer.from(value as Uint8Array)
              .toString('hex')
              .toUpperCase(),
          ),
      };
    case Type.List:
    case Type.LargeList:
    case Type.ListView:
    case Type.LargeListView:
    case Type.FixedSizeList: {
      const { type: inner, write } = columnOf(type.children[0].type);
      return {
        type: `${inner}[]`,
        write: value =>
          `[${Array.from(value as Iterable<unknown>, one => (one === null || one === undefined ? 'null' : write(one))).join(',')}]`,
      };
    }
    case Type.Struct:
      return structOf(type.children);
    case Type.Map: {
      const pair = type.children[0].type as { readonly children: readonly Field[] };
      const { type: entry, write } = structOf([
        { ...pair.children[0]!, name: 'key' },
        { ...pair.children[1]!, name: 'value' },
      ]);
      return {
        type: `${entry}[]`,
        write: value =>
          `[${Array.from(value as Iterable<readonly [unknown, unknown]>, ([key, one]) => write({ key, value: one })).join(',')}]`,
      };
    }
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
    case Type.Null:
      return { type: 'VARCHAR', write: asText };
    default:
      return { type: 'VARCHAR', write: asJson };
  }
}

function structOf(fields: readonly Field[]): WrittenColumn {
  const taken = new Set<string>();
  const inside = fields.map(({ name, type }) => ({
    from: name,
    name: distinctName(name, taken),
    ...columnOf(type),
  }));
  if (inside.length === 0) return { type: 'VARCHAR', write: asJson };
  const write = (value: unknown) => {
    const cells = inside.flatMap(({ from, name, write: cell }) => {
      const one = (value as Readonly<Record<string, unknown>>)[from];
      return one === null || one === undefined ? [] : [`${JSON.stringify(name)}:${cell(one)}`];
    });
    return `{${cells.join(',')}}`;
  };
  return { type: structType(inside), write };
}
