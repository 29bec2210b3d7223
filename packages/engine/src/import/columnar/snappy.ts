/*
 * Avro files are often compressed with Snappy, and Node cannot decompress it. The format is a page long:
 * https://github.com/google/snappy/blob/main/format_description.txt.
 */

/**
 * Decompresses one Snappy block.
 * @throws RangeError if it is damaged, or longer than `maxBytes` bytes
 */
export function unpackSnappy(packed: Uint8Array, maxBytes: number): Uint8Array {
  let at = 0;
  const next = () => {
    if (at >= packed.length) throw new RangeError('a Snappy block is cut off');
    return packed[at++]!;
  };
  const wholeOf = (bytes: number) => {
    let value = 0;
    for (let i = 0; i < bytes; i++) value += next() * 2 ** (8 * i);
    return value;
  };
  let length = 0;
  for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
    byte = next();
    length += (byte & 127) * 2 ** shift;
    if (length > maxBytes) throw new RangeError('a Snappy block is longer than it may be');
  }
  const out = new Uint8Array(length);
  let end = 0;
  while (at < packed.length) {
    const tag = next();
    if ((tag & 3) === 0) {
      const short = tag >> 2;
      const literals = 1 + (short < 60 ? short : wholeOf(short - 59));
      if (at + literals > packed.length || end + literals > length)
        throw new RangeError('a Snappy block is longer than it may be');
      out.set(packed.subarray(at, at + literals), end);
      at += literals;
      end += literals;
      continue;
    }
    const isNear = (tag & 3) === 1;
    const matched = isNear ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
    const offset = isNear ? ((tag >> 5) << 8) | next() : wholeOf((tag & 3) === 2 ? 2 : 4);
    if (offset === 0 || offset > end || end + matched > length)
      throw new RangeError('a Snappy block refers to what is not there');
    // A match may overlap its own output.
    for (let i = 0; i < matched; i++) out[end + i] = out[end + i - offset]!;
    end += matched;
  }
  if (end !== length) throw new RangeError(`${end} bytes in place of ${length}`);
  return out;
}
