import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/*
 * A small site that shows a dashboard of Belvedere to its own users. It has a server, since only that may know
 * the key's secret. See README.md.
 */

interface HostOptions {
  /** The address of Belvedere, such as `https://bi.example.com`. */
  readonly belvedere: string;
  /** The dashboard's ID. */
  readonly dashboard: string;
  /** A tile of it, which is shown by itself, too. */
  readonly tile: string;
  /** Signs what this site's user may see: called for each token. */
  readonly sign: () => string;
  readonly port?: number;
}

export interface RunningHost {
  readonly port: number;
  /** How many tokens it has signed. */
  readonly signed: () => number;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Starts the site. */
export async function startHost({
  belvedere,
  dashboard,
  tile,
  sign,
  port = 0,
}: HostOptions): Promise<RunningHost> {
  let signed = 0;
  const page = (await readFile(path.join(import.meta.dirname, 'index.html'), 'utf8'))
    .replaceAll('{belvedere}', belvedere)
    .replaceAll('{dashboard}', encodeURIComponent(dashboard))
    .replaceAll('{tile}', encodeURIComponent(tile));
  const files = new Map([
    ['/', page],
    ['/page.js', await readFile(path.join(import.meta.dirname, 'page.js'), 'utf8')],
    ['/page.css', await readFile(path.join(import.meta.dirname, 'page.css'), 'utf8')],
  ]);
  const server = createServer((request, response) => {
    const [address = '/'] = request.url!.split('?');
    // A real site knows its user here, by the cookie of their session, and signs only for them.
    if (address === '/token') {
      signed++;
      response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(sign());
      return;
    }
    const file = files.get(address);
    const extension = address === '/' ? 'html' : address.split('.').at(-1)!;
    response
      .writeHead(file === undefined ? 404 : 200, {
        'content-type': `${types[extension] ?? 'text/plain'}; charset=utf-8`,
        'content-security-policy': [
          "default-src 'none'",
          "connect-src 'self'",
          "img-src 'self'",
          "style-src 'self'",
          `script-src 'self' ${belvedere}`,
          `frame-src ${belvedere}`,
        ].join('; '),
      })
      .end(file ?? 'Not found');
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    signed: () => signed,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
