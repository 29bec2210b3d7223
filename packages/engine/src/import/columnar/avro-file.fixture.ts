// A small writer of Avro files for tests, to the letter of the specification.

/** An int or long (zigzag, variable length). */
export const whole = (value: bigint | number): Buffer => {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n)); ; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    if (rest <= 127n) return Buffer.from(bytes);
  }
};
/** A string or bytes with their length. */
export const sized = (value: string | Buffer) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([whole(bytes.length), bytes]);
};
/** Ends the header and each block. */
const sync = Buffer.from('0123456789abcdef');
export const block = (rows: number, bytes: Buffer) =>
  Buffer.concat([whole(rows), whole(bytes.length), bytes, sync]);
/** The blocks of a file come after this. */
export const header = (schema: unknown, codec?: string) => {
  const entries = [['avro.schema', JSON.stringify(schema)], ...(codec ? [['avro.codec', codec]] : [])];
  return Buffer.concat([
    Buffer.from('Obj\u0001'),
    whole(entries.length),
    ...entries.flatMap(([key, value]) => [sized(key!), sized(value!)]),
    whole(0),
    sync,
  ]);
};
export const record = (fields: Readonly<Record<string, unknown>>, name = 'Row') => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
});
export const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
