import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a ZIP file for a test; it may be invalid on purpose. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** The compressed content, instead of `content`. */
  readonly packed?: Buffer;
  /** Unix file mode, including the file type. */
  readonly mode?: number;
  readonly isEncrypted?: boolean;
  /** 8 is Deflate. */
  readonly method?: number;
  /** The declared unpacked size. */
  readonly size?: number;
}

/** Builds a ZIP file (APPNOTE 4.3) without checking its content. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const {
    name,
    content = '',
    packed: given,
    mode = 0o100_644,
    isEncrypted = false,
    method = 8,
    size,
  } of entries) {
    const plain = Buffer.from(content);
    const packed = given ?? (method === 8 ? deflateRawSync(plain) : plain);
    const written = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    // Flag: names are UTF-8.
    common.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(plain), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? plain.length, 18);
    common.writeUInt16LE(written.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, written, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    list.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), common, rest, written]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
