import { zipSync, type Zippable } from 'fflate';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** Archives with entries that point outside, and with hostile files inside. @param files by their names */
export function hostileArchives(
  secret: string,
  files: Readonly<Record<string, Buffer>>,
): { zip: Buffer[]; tgz: Buffer[] } {
  const words = Buffer.from('id,word\n1,a\n2,b\n');
  const up = `${'../../'.repeat(3)}${path.basename(secret)}`;
  const link = Buffer.from(secret);
  const sets: Readonly<Record<string, Buffer>>[] = [
    { 'words.csv': words, 'more/stops.txt': words },
    { 'words.csv': words, ...files },
    { 'words.csv': words, [up]: words, [secret]: words, [`x/${up}`]: words, 'words.csv/below.csv': words },
  ];
  const linked = (entries: Zippable): Zippable => ({
    ...entries,
    'link.csv': [link, { os: 3, attrs: (0o120_777 << 16) >>> 0 }],
  });
  return {
    zip: sets.flatMap(set =>
      ([0, 6] as const).map(level => Buffer.from(zipSync(linked(set as Zippable), { level }))),
    ),
    tgz: sets.flatMap(set => {
      const entries = Object.entries(set).map(([name, bytes]) => tarEntry(name, '0', bytes));
      const links = ['1', '2'].map(type => tarEntry(`link${type}.csv`, type, Buffer.alloc(0), secret));
      const tar = Buffer.concat([
        ...links,
        ...entries,
        tarEntry('pipe.csv', '6', Buffer.alloc(0)),
        Buffer.alloc(1024),
      ]);
      // Not packed well, damage gets past the unpacking.
      return [gzipSync(tar), gzipSync(tar, { level: 0 }), tar];
    }),
  };
}

/**
 * An entry of a tar file as POSIX has it.
 * @param type `0` a file, `1` a hard link, `2` a symbolic link, `6` a pipe
 */
function tarEntry(name: string, type: string, bytes: Buffer, target = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\u00000000000\u00000000000\u0000', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\u000000000000000\u0000        ${type}`, 124);
  header.write(target, 157, 100);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
