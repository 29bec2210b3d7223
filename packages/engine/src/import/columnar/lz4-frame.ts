/*
 * Arrow files use LZ4 compression by default, and Node cannot decompress it. The format is a page long:
 * https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and lz4_Block_format.md. Checksums are not
 * verified.
 */
const magic = 0x184d2204;

/**
 * Decompresses consecutive LZ4 frames.
 * @throws RangeError if they are damaged, or do not contain exactly `length` bytes
 */
export function unpackLz4(packed: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let [at, end] = [0, 0];
  while (at < packed.length) {
    if (view.getUint32(at, true) !== magic) throw new RangeError('no LZ4 frame');
    const flags = view.getUint8(at + 4);
    const [hasBlockSums, hasSize, hasSum, hasDictionary] = [flags & 16, flags & 8, flags & 4, flags & 1];
    if (hasDictionary) throw new RangeError('an LZ4 frame with a dictionary');
    at += 7 + (hasSize ? 8 : 0);
    for (let size = view.getUint32(at, true); size !== 0; size = view.getUint32(at, true)) {
      const [isPlain, bytes] = [size >>> 31 === 1, size & 0x7fffffff];
      const block = packed.subarray(at + 4, at + 4 + bytes);
      if (block.length < bytes) throw new RangeError('an LZ4 block is cut off');
      end = isPlain ? copied(block, out, end) : unpackBlock(block, out, end);
      at += 4 + bytes + (hasBlockSums ? 4 : 0);
    }
    at += 4 + (hasSum ? 4 : 0);
  }
  if (end !== length) throw new RangeError(`${end} bytes in place of ${length}`);
  return out;
}

function copied(block: Uint8Array, out: Uint8Array, end: number): number {
  out.set(block, end);
  return end + block.length;
}

/**
 * @param end of the output so far: a block may refer to the previous block
 * @returns the new end of the output
 */
function unpackBlock(block: Uint8Array, out: Uint8Array, end: number): number {
  let at = 0;
  const next = () => {
    if (at >= block.length) throw new RangeError('an LZ4 block is cut off');
    return block[at++]!;
  };
  const lengthFrom = (short: number) => {
    let length = short;
    if (short === 15) for (let more = 255; more === 255; length += more) more = next();
    return length;
  };
  while (at < block.length) {
    const token = next();
    const literals = lengthFrom(token >> 4);
    if (at + literals > block.length || end + literals > out.length)
      throw new RangeError('an LZ4 block is longer than it may be');
    out.set(block.subarray(at, at + literals), end);
    at += literals;
    end += literals;
    // The last sequence of a block has no match.
    if (at === block.length) break;
    const offset = next() | (next() << 8);
    const matched = lengthFrom(token & 15) + 4;
    if (offset === 0 || offset > end || end + matched > out.length)
      throw new RangeError('an LZ4 block refers to what is not there');
    if (offset >= matched) out.copyWithin(end, end - offset, end - offset + matched);
    // The match overlaps its own output.
    else for (let i = 0; i < matched; i++) out[end + i] = out[end + i - offset]!;
    end += matched;
  }
  return end;
}
