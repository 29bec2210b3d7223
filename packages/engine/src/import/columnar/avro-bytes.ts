/** Items without bytes, such as nulls, that the lists of a block may have: more are meant to harm. */
const maxEmpty = 65_536;
/** Characters of the texts within a row. Types without bytes and long names make any number of them of nothing. */
const maxRowText = 2 ** 28;

/** Reads the values of an Avro block one after the other. Every method throws a RangeError beyond its end. */
export class AvroBytes {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  #items = 0;
  #text = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** How many bytes have been read. */
  get place(): number {
    return this.#at;
  }

  byte(): number {
    if (this.isAtEnd) throw new RangeError('cut off');
    return this.#bytes[this.#at++]!;
  }

  /** A whole number of 64 bits with a sign, in zigzag order. */
  whole(): bigint {
    let [low, factor] = [0, 1];
    for (let i = 0; i < 4; i++, factor *= 128) {
      const byte = this.byte();
      low += (byte & 127) * factor;
      if (byte < 128) return BigInt(unzigzag(low));
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
    }
    throw new RangeError('a number of more than 64 bits');
  }

  /** A size, index or number of things. */
  count(): number {
    const value = Number(this.whole());
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('a count below zero');
    return value;
  }

  /** The number of items in the next piece of a list or map; 0 at its end. */
  pieceCount(): number {
    const value = Number(this.whole());
    // Below zero, the piece's size in bytes follows.
    if (value < 0) this.count();
    const count = Math.abs(value);
    this.#items += count;
    if (this.#items > this.#bytes.length + maxEmpty) throw new RangeError('more than there is');
    return count;
  }

  float(): number {
    return this.take(4).readFloatLE();
  }

  double(): number {
    return this.take(8).readDoubleLE();
  }

  /** A text, as JSON. */
  text(): string {
    return JSON.stringify(this.take(this.count()).toString('utf8'));
  }

  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new RangeError('cut off');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  startRow(): void {
    this.#text = 0;
  }

  /** Counts what was made of values, and returns it. Every text that holds others counts. */
  made(text: string): string {
    this.#text += text.length;
    if (this.#text > maxRowText) throw new RangeError('more text than a row has');
    return text;
  }

  /** Reads a value within one of its own type, at most `maxDepth` deep. */
  deeper<T>(maxDepth: number, read: (bytes: AvroBytes) => T): T {
    if (++this.#depth > maxDepth) throw new RangeError('nested too deep');
    try {
      return read(this);
    } finally {
      this.#depth--;
    }
  }
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
