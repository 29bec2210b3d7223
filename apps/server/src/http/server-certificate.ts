import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ProblemError } from './problems.ts';

export interface CertificateFiles {
  /** The certificate, followed by those of its issuers, in PEM. */
  readonly cert: string;
  /** Its private key, in PEM. */
  readonly key: string;
}

interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** With forward secrecy and authenticated encryption, the strongest first. All supported browsers have them. */
const tls = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const;

/** How often the files are compared, ms. Renewal tools replace them weeks before the old pair ends. */
const lookMs = 5000;

/**
 * The server's own certificate. Changed files are used for new connections without a restart. A pair that
 * cannot be used leaves the earlier one in place.
 */
export class ServerCertificate {
  readonly #files: CertificateFiles;
  #pair: Pair;
  #refused: Pair | undefined;
  #problem: string | undefined;
  #server: Pick<Server, 'setSecureContext'> | undefined;
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(files: CertificateFiles, pair: Pair) {
    this.#files = files;
    this.#pair = pair;
    this.#timer = setInterval(() => void this.reload(), lookMs).unref();
  }

  /** @throws ProblemError `request-invalid` if the files cannot be used */
  static async open(files: CertificateFiles): Promise<ServerCertificate> {
    const pair = await readPair(files);
    checkPair(pair, files);
    return new ServerCertificate(files, pair);
  }

  get options(): Pair & typeof tls {
    return { ...this.#pair, ...tls };
  }

  /** ISO text. */
  get validUntil(): string {
    return new X509Certificate(this.#pair.cert).validToDate.toISOString();
  }

  /** Why changed files are not used, or that the certificate has expired. */
  get problem(): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    return Date.parse(this.validUntil) < Date.now()
      ? `The certificate in ${this.#files.cert} has expired.`
      : undefined;
  }

  /** Uses changed files for this server's new connections. */
  serve(server: Pick<Server, 'setSecureContext'>): void {
    this.#server = server;
  }

  async reload(): Promise<void> {
    try {
      const pair = await readPair(this.#files);
      if (isSame(pair, this.#pair)) {
        this.#problem = this.#refused = undefined;
        return;
      }
      if (isSame(pair, this.#refused)) return;
      this.#refused = pair;
      checkPair(pair, this.#files);
      this.#server?.setSecureContext({ ...pair, ...tls });
      this.#pair = pair;
      this.#problem = this.#refused = undefined;
      console.error(new Date().toISOString(), `The new certificate in ${this.#files.cert} is in use.`);
    } catch (error) {
      const message = (error as Error).message;
      if (message !== this.#problem)
        console.error(new Date().toISOString(), `${message} The earlier certificate stays in use.`);
      this.#problem = message;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function isSame(a: Pair, b: Pair | undefined): boolean {
  return a.cert === b?.cert && a.key === b.key;
}

async function readPair({ cert, key }: CertificateFiles): Promise<Pair> {
  const read = (file: string) =>
    readFile(file, 'utf8').catch((error: unknown) => {
      throw new ProblemError('request-invalid', `Could not read ${file}: ${(error as Error).message}.`);
    });
  return { cert: await read(cert), key: await read(key) };
}

/** @throws ProblemError, which never quotes the key, unless both are valid and belong together */
function checkPair({ cert, key }: Pair, files: CertificateFiles): void {
  const attempt = <T>(work: () => T, message: string): T => {
    try {
      return work();
    } catch (error) {
      throw new ProblemError('request-invalid', message, { cause: error });
    }
  };
  const certificate = attempt(() => new X509Certificate(cert), `${files.cert} has no PEM certificate.`);
  const privateKey = attempt(
    () => createPrivateKey(key),
    `${files.key} has no PEM private key without a passphrase.`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ProblemError('request-invalid', `The key in ${files.key} does not belong to ${files.cert}.`);
  attempt(() => createSecureContext({ cert, key }), `${files.cert} and ${files.key} cannot be used for TLS.`);
}
