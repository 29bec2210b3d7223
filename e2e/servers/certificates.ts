import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';
import { anonymously } from './server-programs.ts';

export interface Certificates {
  /** Of the authority, as clients would be given it; PEM. */
  readonly authority: string;
  /** Files a server reads. */
  readonly certificate: string;
  readonly key: string;
  remove(): Promise<void>;
}

/** An authority of our own, and a server's certificate that it signed. @param address whose it is: an address, or a name */
export async function makeCertificates(address: string): Promise<Certificates> {
  const authority = await generate([{ name: 'commonName', value: 'Authority of a test' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const isName = /[a-z]/.test(address);
  const own = await generate([{ name: 'commonName', value: address }], {
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [isName ? { type: 2, value: address } : { type: 7, ip: address }] },
    ],
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-certificates-'));
  const [certificate, key] = [path.join(folder, 'server.crt'), path.join(folder, 'server.key')];
  await writeFile(certificate, own.cert);
  await writeFile(key, own.private, { mode: 0o600 });
  // PostgreSQL takes no key that others may read.
  if (anonymously.uid !== undefined)
    for (const file of [folder, certificate, key]) await chown(file, anonymously.uid, anonymously.gid);
  return {
    authority: authority.cert,
    certificate,
    key,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
