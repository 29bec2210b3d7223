import type { FastifyInstance } from 'fastify';
import type { ServerOptions } from './server-options.ts';

const portsTried = 50;

/** Where the server can be reached, once it listens. */
export class ServerAddress {
  /** 0 until the server listens. */
  port = 0;
  /** The hosts that requests may name. */
  hosts: ReadonlySet<string> = new Set();
  cookieName = 'belvedere';
  /** The origin at which it listens, which the folder's lock file has. */
  origin = '';
  /** When it began to listen, by the time of this machine. */
  startedMs = 0;
  readonly #publicUrl: string | undefined;

  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl;
  }

  /** The address under which users reach the server. */
  get publicAddress(): string {
    return this.#publicUrl ?? `http://127.0.0.1:${this.port}`;
  }

  /** Listens on the port of the options, or on the next free one. @throws if none is free */
  async listen(app: FastifyInstance, options: ServerOptions): Promise<void> {
    const port = await listen(app, options);
    this.port = port;
    this.startedMs = Date.now();
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    this.origin = `http${options.certificate ? 's' : ''}://${host}:${port}`;
    this.hosts = new Set([
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      ...(this.#publicUrl === undefined ? [] : [new URL(this.#publicUrl).host]),
    ]);
    // Cookies ignore ports: without the port in the name, two instances on one machine would sign each other
    // out.
    this.cookieName = `belvedere-${port}`;
  }
}

async function listen(app: FastifyInstance, { host, port, movesOn }: ServerOptions): Promise<number> {
  for (let tried = port; ; tried++) {
    try {
      await app.listen({ host, port: tried });
      return (app.server.address() as { port: number }).port;
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isBusy || !movesOn || tried - port >= portsTried) throw error;
    }
  }
}
