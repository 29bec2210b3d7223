import { getCACertificates } from 'node:tls';
import { EngineError } from '../answer.ts';
import type { Connection } from './connection.ts';

/** Whose signatures on a server's certificate count: the named authority's alone, or those of Node and of this machine. PEM. */
export function authoritiesFor(tls: Exclude<Connection['tls'], 'off'>): string[] {
  return typeof tls === 'object' ? [tls.ca] : [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

const certificateFaults = /certificate|self.signed|altnames|SSL|TLS/i;

/** What is to be said of a server whose certificate was not accepted; undefined where that was not the trouble. */
export function certificateTrouble(message: string, cause: unknown): EngineError | undefined {
  if (!certificateFaults.test(message)) return undefined;
  const advice = /altnames/i.test(message) ? 'Write `host` as the certificate has it.' : 'Where an authority of your own signed it, name that authority’s certificate in the source’s file: `tls: { ca: "${file:/path/to/ca.pem}" }`.';
  return new EngineError('source-refused', `The server’s certificate was not accepted: ${message.split(';')[0]!.replace(/\.$/, '')}. ${advice}`, { cause });
}
