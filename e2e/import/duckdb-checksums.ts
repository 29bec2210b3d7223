/** As small as the engine makes them. */
export const duckDbBlockBytes = 16_384;
/** The file has three headers before its blocks: the main header, and those of its last two states. */
const headerBytes = 4096;
const checksumBytes = 8;

/**
 * Returns a DuckDB file whose headers and blocks have valid checksums again, so that the engine reads changed
 * bytes as if it had written them.
 * @param file with blocks of `duckDbBlockBytes`
 * @see https://github.com/duckdb/duckdb/blob/main/src/common/checksum.cpp
 */
export function withRightChecksums(file: Buffer): Buffer {
  const bytes = Buffer.from(file);
  for (let at = 0; at + checksumBytes < bytes.length;) {
    const size = at < 3 * headerBytes ? headerBytes : duckDbBlockBytes;
    const block = bytes.subarray(at, at + size);
    if (block.length === size && block.readBigUInt64LE() !== 0n)
      block.writeBigUInt64LE(checksumOf(block.subarray(checksumBytes)));
    at += size;
  }
  return bytes;
}

function checksumOf(bytes: Buffer): bigint {
  const words = new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  let checksum = 5381n;
  for (const word of words) checksum ^= BigInt.asUintN(64, word * 0xbf58476d1ce4e5b9n);
  return checksum;
}
