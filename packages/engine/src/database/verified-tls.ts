import { getCACertificates } from 'node:tls';
import { EngineError } from '../result.ts';
import type { Connection } from './connection.ts';

/**
 * The authorities that may sign a server's certificate: only the configured one, or those of Node and of this
 * machine. PEM.
 */
export function authoritiesFor(tls: Exclude<Connection['tls'], 'off'>): string[] {
  return typeof tls === 'object'
    ? [tls.ca]
    : [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

/** The certificate of a server was rejected, so that nothing was sent to it. */
export class CertificateError extends EngineError {}

const certificateErrors = /certificate|self.signed|altnames/i;

/**
 * The error for a rejected server certificate; undefined for any other error. The message uses our own words,
 * because the driver's message may quote the certificate.
 */
export function certificateError(
  message: string,
  host: string,
  cause: unknown,
): CertificateError | undefined {
  if (!certificateErrors.test(message)) return undefined;
  const [reason, advice] = reasonFor(message, host);
  return new CertificateError(
    'source-refused',
    `The server’s certificate was rejected: ${reason}. ${advice}`,
    {
      cause,
    },
  );
}

function reasonFor(message: string, host: string): readonly [reason: string, advice: string] {
  if (/altnames/i.test(message))
    return [`it is not for \`${host}\``, 'Set `host` to a name in the certificate.'];
  if (/expired/i.test(message)) return ['it has expired', 'Renew it on the server.'];
  if (/not yet valid/i.test(message)) return ['it is not valid yet', 'Check the clocks of both machines.'];
  return [
    'it is not signed by a trusted authority',
    'If you use your own authority, add its certificate to the source’s file: `tls: { ca: "${file:.belvedere/secrets/ca.pem}" }`.',
  ];
}
