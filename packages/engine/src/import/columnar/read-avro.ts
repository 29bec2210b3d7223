import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import type { FileHandle } from 'node:fs/promises';
import { openRegularFile } from '../../regular-file.ts';
import { AvroBytes } from './avro-bytes.ts';
import { avroFields, rowText, type AvroField } from './avro-columns.ts';
import { ImportError } from '../report.ts';
import { unpackSnappy } from './snappy.ts';
import { writeLines, type TypedLines } from '../csv/typed-lines.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';

const magic = 'Obj\u0001';
const syncBytes = 16;
/** Writers make blocks of some 16 KB to 64 MB. */
const maxBlockBytes = 2 ** 27;
const maxHeaderBytes = 2 ** 24;
/** Two whole numbers of at most ten bytes. */
const blockHeadBytes = 20;
/** Some writers make a block of each row: many are read at once. */
const windowBytes = 2 ** 20;
/** Rows without bytes that a file may have: more are meant to harm. */
const maxEmptyRows = 65_536;

/**
 * Converts an Avro file (object container) to lines of JSON, block by block.
 * @throws ImportError if it is unreadable
 * @see https://avro.apache.org/docs/1.12.0/specification/
 */
export async function avroAsLines(
  file: string,
  target: string,
  produced: UnpackedBytes,
): Promise<TypedLines> {
  const handle = await openRegularFile(file);
  try {
    const { fields, codec, sync, end } = await headerOf(handle);
    const unpack = Object.hasOwn(codecs, codec) ? codecs[codec] : undefined;
    if (!unpack) throw new ImportError(file, undefined, unknownCodec(codec));
    const lines = linesOf(handle, { fields, sync, end, unpack, produced });
    return { ...(await writeLines(target, lines, produced)), columns: fields, notes: [] };
  } catch (error) {
    throw damaged(file, error as Error);
  } finally {
    await handle.close();
  }
}

interface AvroHeader {
  readonly fields: readonly AvroField[];
  readonly codec: string;
  /** Stands after every block. */
  readonly sync: Buffer;
  /** Where the first block begins. */
  readonly end: number;
}

async function headerOf(handle: FileHandle): Promise<AvroHeader> {
  const start = new AvroBytes(await bytesAt(handle, 0, maxHeaderBytes));
  if (start.take(magic.length).toString('latin1') !== magic) throw new RangeError('no Avro file');
  const entries = new Map<string, string>();
  for (let count = start.pieceCount(); count > 0; count = start.pieceCount())
    for (let i = 0; i < count; i++)
      entries.set(start.take(start.count()).toString(), start.take(start.count()).toString());
  const sync = Buffer.from(start.take(syncBytes));
  const fields = avroFields(JSON.parse(entries.get('avro.schema') ?? ''));
  if (fields.length === 0) throw new RangeError('no columns');
  return { fields, codec: entries.get('avro.codec') ?? 'null', sync, end: start.place };
}

type Unpack = (packed: Buffer, maxBytes: number) => Uint8Array;

const codecs: Readonly<Record<string, Unpack>> = {
  null: packed => packed,
  deflate: (packed, max) => inflateRawSync(packed, { maxOutputLength: max }),
  // A checksum of four bytes follows.
  snappy: (packed, max) => unpackSnappy(packed.subarray(0, -4), max),
  zstandard: (packed, max) => zstdDecompressSync(packed, { maxOutputLength: max }),
};

async function* linesOf(
  handle: FileHandle,
  {
    fields,
    sync,
    end,
    unpack,
    produced,
  }: Omit<AvroHeader, 'codec'> & { readonly unpack: Unpack; readonly produced: UnpackedBytes },
): AsyncGenerator<string> {
  const bytesFrom = windowOver(handle);
  let emptyRows = 0;
  for (let at = end; ;) {
    const head = await bytesFrom(at, blockHeadBytes);
    if (head.length === 0) return;
    const counts = new AvroBytes(head);
    const [rows, size] = [counts.count(), counts.count()];
    if (size > maxBlockBytes) throw new RangeError('a block that is too large');
    const block = await bytesFrom(at + counts.place, size + syncBytes);
    if (!block.subarray(size).equals(sync)) throw new RangeError('a block that ends elsewhere');
    at += counts.place + size + syncBytes;
    const unpacked = unpack(block.subarray(0, size), maxBlockBytes);
    produced.add(unpacked.length);
    emptyRows += Math.max(0, rows - unpacked.length);
    if (emptyRows > maxEmptyRows) throw new RangeError('more rows than bytes');
    // Rows of many columns without bytes are refused before they are written out.
    if (!produced.hasRoomFor(rows * fields.length)) throw produced.tooMany();
    const values = new AvroBytes(Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.length));
    for (let row = 0; row < rows; row++) {
      values.startRow();
      yield rowText(fields, values);
    }
    if (!values.isAtEnd) throw new RangeError('bytes after the last row');
  }
}

/** The bytes of a file from a place on; fewer at its end. */
async function bytesAt(handle: FileHandle, from: number, maxBytes: number): Promise<Buffer> {
  const length = Math.max(0, Math.min(maxBytes, (await handle.stat()).size - from));
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** Reads ahead. Bytes that were returned stay as they are. */
function windowOver(handle: FileHandle): (from: number, maxBytes: number) => Promise<Buffer> {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);
  return async (from, max) => {
    if (from < start || from + max > start + bytes.length) {
      start = from;
      bytes = await bytesAt(handle, from, Math.max(max, windowBytes));
    }
    return bytes.subarray(from - start, from - start + max);
  };
}

function unknownCodec(codec: string): string {
  return (
    `This Avro file is compressed with “${codec.slice(0, 40)}”, which is not supported. ` +
    'Write it with deflate, snappy or zstandard, or save it as Parquet.'
  );
}

/** What the readers say of damaged files describes their internals. */
function damaged(file: string, error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ImportError || (code !== undefined && !/^(ERR_|Z_|ZSTD_)/.test(code))) return error;
  return new ImportError(
    file,
    undefined,
    'This Avro file is damaged or incomplete. Write it again, or save it as Parquet.',
  );
}
