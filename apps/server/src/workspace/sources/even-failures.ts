import { accessAddress } from '@belvedere/api';
import type { ServerSource } from '@belvedere/document';
import { CertificateError, EngineError } from '@belvedere/engine';
import { setTimeout as delay } from 'node:timers/promises';
import { targetOf } from './source-access.ts';

/** Longer than any attempt to reach a server takes. */
const failureMs = 12_000;
const programs = { postgres: 'PostgreSQL', mysql: 'MySQL or MariaDB', clickhouse: 'ClickHouse' } as const;

/**
 * Runs the first contact with a server whose address a user chose who may not know the network: if no database
 * proves itself there, all failures have one message and take one time, so that neither tells open ports from
 * closed ones, here or on other machines. The reason is logged.
 * @param ms the time of a failure, or of several times as much
 */
export async function evenFailures<T>(
  source: ServerSource,
  contact: () => Promise<T>,
  ms = failureMs,
): Promise<T> {
  const began = performance.now();
  try {
    return await contact();
  } catch (error) {
    const isUneven =
      error instanceof EngineError &&
      (error.code === 'source-unreachable' || error instanceof CertificateError);
    if (!isUneven) throw error;
    const { host, port } = targetOf(source);
    const address = accessAddress({ host, port });
    console.error(`${new Date().toISOString()} Connecting to ${address}: ${error.message}`);
    const took = performance.now() - began;
    await delay(ms * Math.ceil(took / ms) - took, undefined, { ref: false });
    throw new EngineError(
      'source-unreachable',
      `Could not connect: no ${programs[source.kind]} responded at ${address}. ` +
        'Check the host, the port, the firewall and the server’s certificate.',
      { cause: error },
    );
  }
}
