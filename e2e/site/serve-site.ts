import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSocket, type AddressInfo } from 'node:net';
import path from 'node:path';

export interface ServedSite {
  readonly origin: string;
  readonly stop: () => void;
}

/** Serves a folder as `python3 -m http.server` does, or with a few lines of Node where there is no Python. */
export async function serveSite(folder: string): Promise<ServedSite> {
  if (spawnSync('python3', ['--version']).status === 0) return serveWithPython(folder);
  console.warn('LEFT OUT: `python3` is missing, so the site is served by Node.');
  const types: Readonly<Record<string, string>> = {
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const file = decodeURIComponent(pathname) + (pathname.endsWith('/') ? 'index.html' : '');
    readFile(path.join(folder, path.normalize(file))).then(
      bytes =>
        response
          .setHeader('content-type', types[file.split('.').at(-1)!] ?? 'application/octet-stream')
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  };
}

async function serveWithPython(folder: string): Promise<ServedSite> {
  const port = await freePort();
  const python = spawn('python3', ['-m', 'http.server', String(port), '--bind', '127.0.0.1'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(origin).then(
      one => one.ok,
      () => false,
    ))
  )
    await new Promise(resolve => setTimeout(resolve, 100));
  return { origin, stop: () => python.kill() };
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>(resolve => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise(resolve => socket.close(resolve));
  return port;
}
