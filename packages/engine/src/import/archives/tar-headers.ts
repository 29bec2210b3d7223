/** What a header block says of the entry that follows it. */
export interface TarHeader {
  readonly name: string;
  /** The type as a character: `0` a file, `5` a folder, `x` attributes of the next entry. */
  readonly type: string;
  readonly size: number;
}

/** Attributes that precede an entry and replace those of its header. */
export type TarAttributes = Partial<Pick<TarHeader, 'name' | 'size'>>;

export const blockBytes = 512;

/** Returns undefined for a block of zeros, which ends an archive. @throws RangeError if it is no header */
export function readTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every(byte => byte === 0)) return undefined;
  const spaces = 8 * 32;
  const written = block.subarray(148, 156).reduce((sum, byte) => sum - byte, spaces);
  if (octalOf(block, 148, 8) !== block.reduce((sum, byte) => sum + byte, written))
    throw new RangeError('the checksum of an entry is wrong');
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? textOf(block, 345, 155) : '';
  const name = textOf(block, 0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[156]!),
    size: sizeOf(block),
  };
}

/**
 * Reads attributes in the format of POSIX: records of a length, a key and a value. Each is found by the length of
 * the one before, so that the time is linear.
 * @throws RangeError if a record is not as long as it says
 */
export function readTarAttributes(bytes: Buffer): TarAttributes {
  let found: TarAttributes = {};
  for (let at = 0; at < bytes.length;) {
    const [, digits, key] = /^(\d{1,8}) ([^=\n]+)=/.exec(bytes.toString('utf8', at, at + maxKeyBytes)) ?? [];
    const end = at + Number(digits);
    const from = at + Buffer.byteLength(`${digits} ${key}=`);
    if (digits === undefined || end <= from || bytes[end - 1] !== newline)
      throw new RangeError('attributes of an entry are damaged');
    const value = bytes.toString('utf8', from, end - 1);
    if (key === 'path') found = { ...found, name: value };
    else if (key === 'size' && /^\d{1,15}$/.test(value)) found = { ...found, size: Number(value) };
    at = end;
  }
  return found;
}

const maxKeyBytes = 300;
const newline = 10;

/** A text up to its first zero byte. */
export function textOf(block: Buffer, from: number, length: number): string {
  const zero = block.indexOf(0, from);
  const end = from + length;
  return block.toString('utf8', from, zero === -1 ? end : Math.min(zero, end));
}

function octalOf(block: Buffer, from: number, length: number): number {
  const text = textOf(block, from, length).trim();
  if (!/^[0-7]*$/.test(text)) throw new RangeError('a number of an entry is invalid');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** Sizes of 8 GiB and more are binary, marked by the first bit. */
function sizeOf(block: Buffer): number {
  if (block[124]! < 128) return octalOf(block, 124, 12);
  const size = Number((BigInt(block[124]! & 127) << 88n) | BigInt(`0x${block.toString('hex', 125, 136)}`));
  if (!Number.isSafeInteger(size)) throw new RangeError('an entry is too large');
  return size;
}
