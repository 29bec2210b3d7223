import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { generate } from 'selfsigned';
import { anonymously } from './server-programs.ts';

export interface Certificates {
  /** The authority's certificate for clients, PEM. */
  readonly authority: string;
  /** Files that a server reads. */
  readonly certificate: string;
  readonly key: string;
  remove(): Promise<void>;
}

/**
 * Creates a certificate authority and a server certificate that it signs. @param address the server's IP
 * address or host name
 */
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
  // PostgreSQL rejects a key that other users may read.
  if (anonymously.uid !== undefined)
    for (const file of [folder, certificate, key]) await chown(file, anonymously.uid, anonymously.gid);
  return {
    authority: authority.cert,
    certificate,
    key,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
