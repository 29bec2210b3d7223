import type { TableFile } from '@belvedere/document';
import iconv from 'iconv-lite';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { chunksOf, readFileStart, streamRegularFile } from '../../regular-file.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { areUtf8, isMostlyUtf8, UnreadableLines } from './unreadable-bytes.ts';

/** A text file in the form that the reader needs (UTF-8, LF line ends), with notes. */
export interface DecodedText {
  readonly file: string;
  readonly encoding: string;
  readonly isCopy: boolean;
  /** Notes on content that could not be read. */
  readonly notes: readonly string[];
}

const headBytes = 4 * 2 ** 20;
const codecs: Readonly<Record<NonNullable<TableFile['encoding']>, string>> = {
  'UTF-8': 'utf8',
  'UTF-16 LE': 'utf16-le',
  'UTF-16 BE': 'utf16-be',
  'Windows-1252': 'win1252',
  'Latin-1': 'latin1',
  'Mac Roman': 'macroman',
  'Windows-1250': 'win1250',
  'Windows-1251': 'win1251',
  Shift_JIS: 'shiftjis',
  GB18030: 'gb18030',
};

/**
 * Converts a text file to UTF-8 with LF line ends. Returns the file itself if it is so already, else a copy
 * in `folder`.
 * @throws ImportError if it unpacks to more than `produced` allows
 */
export async function decodeText(
  file: string,
  folder: string,
  produced: UnpackedBytes,
  wanted?: TableFile['encoding'],
): Promise<DecodedText> {
  const head = await headOf(file);
  const encoding = wanted ? codecs[wanted] : encodingOf(head);
  const text = iconv.decode(head, encoding);
  const endsLinesWithCr = !text.includes('\n') && text.includes('\r');
  const isPacked = /\.(gz|zst)$/i.test(file);
  const isPlain =
    encoding === 'utf8' && !endsLinesWithCr && !isPacked && !startsWithBom(head) && !head.includes(0);
  if (isPlain && (await areUtf8(chunksOf(file))))
    return { file, encoding: 'UTF-8', isCopy: false, notes: [] };
  const copy = path.join(folder, `${path.basename(file)}.utf8`);
  const decoder = iconv.getDecoder(encoding);
  const unreadable = encoding === 'utf8' ? new UnreadableLines() : undefined;
  const rewrite = new Transform({
    transform(bytes: Buffer, _, done) {
      try {
        produced.add(bytes.length);
        unreadable?.push(bytes);
        done(null, clean(decoder.write(bytes)));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(null, clean(decoder.end() ?? ''));
    },
  });
  await pipeline(await unpacked(file), rewrite, createWriteStream(copy));
  return {
    file: copy,
    encoding: encodingNames[encoding] ?? encoding,
    isCopy: true,
    notes: unreadable?.notes() ?? [],
  };

  function clean(part: string): string {
    const text = part.replaceAll('\0', '').replaceAll('\ufeff', '');
    return endsLinesWithCr ? text.replaceAll('\r', '\n') : text;
  }
}

/** The file's bytes, decompressed if necessary. */
async function unpacked(file: string): Promise<Readable> {
  const bytes = await streamRegularFile(file);
  const unpack = /\.gz$/i.test(file)
    ? createGunzip()
    : /\.zst$/i.test(file)
      ? createZstdDecompress()
      : undefined;
  if (!unpack) return bytes;
  bytes.on('error', error => unpack.destroy(error));
  unpack.on('close', () => bytes.destroy());
  return bytes.pipe(unpack);
}

async function headOf(file: string): Promise<Buffer> {
  if (/\.(gz|zst)$/i.test(file)) {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of (await unpacked(file)) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if ((size += chunk.length) >= headBytes) break;
    }
    return Buffer.concat(chunks).subarray(0, headBytes);
  }
  return readFileStart(file, headBytes);
}

const encodingNames: Record<string, string> = {
  utf8: 'UTF-8',
  'utf16-le': 'UTF-16 LE',
  'utf16-be': 'UTF-16 BE',
  win1252: 'Windows-1252',
  macroman: 'Mac Roman',
  latin1: 'Latin-1',
};

/**
 * Detects the encoding of a file. A byte order mark decides, or zeros in every second byte. Bytes that are UTF-8 with few exceptions count
 * as UTF-8. Otherwise, curly quotes and dashes distinguish Mac Roman (0xD0…0xD5) from Windows-1252
 * (0x91…0x97), which is otherwise a superset of Latin-1.
 */
export function encodingOf(head: Buffer): 'utf8' | 'utf16-le' | 'utf16-be' | 'win1252' | 'macroman' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf16-le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf16-be';
  const unmarked = unmarkedUtf16(head);
  if (unmarked) return unmarked;
  if (isMostlyUtf8(head, head.length >= headBytes)) return 'utf8';
  let mac = 0;
  let windows = 0;
  for (let i = 1; i < head.length - 1; i++) {
    const byte = head[i]!;
    const beside = isLetter(head[i - 1]!) || isLetter(head[i + 1]!);
    if (byte >= 0xd0 && byte <= 0xd5 && beside) mac++;
    if (((byte >= 0x91 && byte <= 0x97) || byte === 0x85) && beside) windows++;
    // é is 0x8E in Mac Roman and 0xE9 in Windows-1252, where 0x8E (Ž) is rare.
    if ((byte === 0x8e || byte === 0x87 || byte === 0x8f) && beside) mac++;
    if ((byte === 0xe9 || byte === 0xe8 || byte === 0xe1 || byte === 0xf1) && beside) windows++;
  }
  return mac > windows ? 'macroman' : 'win1252';
}

/** Latin texts in UTF-16 have a zero in nearly every second byte, and no other text has that. */
function unmarkedUtf16(head: Buffer): 'utf16-le' | 'utf16-be' | undefined {
  const zeros = [0, 0];
  const size = Math.min(head.length, 4096) & ~1;
  for (let i = 0; i < size; i++) if (head[i] === 0) zeros[i % 2]!++;
  const [even, odd] = zeros as [number, number];
  if (size < 8 || Math.max(even, odd) < size / 4 || Math.min(even, odd) > 0) return undefined;
  return odd > even ? 'utf16-le' : 'utf16-be';
}

function startsWithBom(head: Buffer): boolean {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
}

function isLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}
