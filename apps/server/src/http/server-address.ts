import type { FastifyInstance } from 'fastify';
import type { ServerOptions } from '../server-options.ts';

const portsTried = 50;

/** Where the server can be reached, once it listens. */
export class ServerAddress {
  /** 0 until the server listens. */
  port = 0;
  /** The hosts that requests may name. */
  hosts: ReadonlySet<string> = new Set();
  cookieName = 'belvedere';
  /** The origin at which programs of this machine reach it, which the folder's lock file has. */
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
    const at = (name: string) => `http${options.certificate ? 's' : ''}://${name}:${port}`;
    this.origin = at(reachableHost(options.host));
    this.hosts = new Set([
      // Programs name no port that is the usual one.
      ...['127.0.0.1', 'localhost', '[::1]'].flatMap(name => [`${name}:${port}`, new URL(at(name)).host]),
      ...(this.#publicUrl === undefined ? [] : [new URL(this.#publicUrl).host]),
    ]);
    // Cookies ignore ports: without the port in the name, two instances on one machine would sign each other
    // out.
    this.cookieName = `belvedere-${port}`;
  }
}

/** Returns the host by which this machine reaches a server, also one that listens on all addresses. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
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
