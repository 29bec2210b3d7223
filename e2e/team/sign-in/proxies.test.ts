import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import { project } from '../../browser.ts';
import { allRead } from '../../running-belvedere.ts';
import { findProxy } from './find-proxy.ts';
import { password, runTeam, type RunningTeam } from '../running-team.ts';

/**
 * The guide's examples for proxies, with other ports and files, and the requests that must pass through them.
 */

const host = 'belvedere.example.org';
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Caddy listens before it has a certificate. */
const hasCertificate = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = tls.connect({ port, host: '127.0.0.1', servername: host, rejectUnauthorized: false });
    socket.on('secureConnect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });

/** The example in the guide, by the language of its code. */
async function example(language: string): Promise<string> {
  const page = await readFile(path.join(project, 'docs', 'guide', 'proxies.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)![1]!;
}

function run(program: string, args: readonly string[], folder: string): void {
  const child: ChildProcess = spawn(program, args, {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const ended = new Promise(resolve => child.once('exit', resolve));
  cleanUp.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

/** Starts a proxy before a port of this machine. @returns the proxy's port */
const start = {
  nginx: async (program: string, target: number, folder: string) => {
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj'.split(' '),
        `/CN=${host}`,
        '-keyout',
        path.join(folder, 'key.pem'),
        '-out',
        path.join(folder, 'cert.pem'),
      ],
      { stdio: 'ignore' },
    );
    const port = await freePort();
    const site = (await example('nginx'))
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('127.0.0.1:4600', `127.0.0.1:${target}`)
      .replace('/etc/ssl/belvedere.pem', path.join(folder, 'cert.pem'))
      .replace('/etc/ssl/belvedere.key', path.join(folder, 'key.pem'));
    const config = path.join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      kind => `${kind}_temp_path ${path.join(folder, kind)};`,
    );
    await writeFile(
      config,
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${temporary.join(' ')} ${site} }`,
    );
    run(program, ['-c', config, '-p', folder, '-e', path.join(folder, 'error.log')], folder);
    return port;
  },
  caddy: async (program: string, target: number, folder: string) => {
    const [port, plain] = [await freePort(), await freePort()];
    const site = (await example('caddy'))
      // The test has no public address, so Caddy signs the certificate itself.
      .replace('belvedere.example.org {', `belvedere.example.org:${port} {\n\tbind 127.0.0.1\n\ttls internal`)
      .replace('127.0.0.1:4600', `127.0.0.1:${target}`);
    const config = path.join(folder, 'Caddyfile');
    await writeFile(
      config,
      `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttp_port ${plain}\n\thttps_port ${port}\n}\n${site}`,
    );
    run(program, ['run', '--config', config, '--adapter', 'caddyfile'], folder);
    return port;
  },
} as const;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends requests as a browser on another machine does. */
function browserOf(port: number) {
  const jar: string[] = [];
  const send = (
    route: string,
    {
      method = 'GET',
      body,
      type = 'application/json',
      forged,
      until,
    }: {
      readonly method?: string;
      readonly body?: Buffer | string;
      readonly type?: string;
      readonly forged?: string;
      /** Ends the response once it has this text. */
      readonly until?: string;
    } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const request = https.request(
        {
          port,
          host: '127.0.0.1',
          servername: host,
          path: route,
          method,
          rejectUnauthorized: false,
          headers: {
            host,
            'x-belvedere': '1',
            origin: `https://${host}`,
            cookie: jar.join('; '),
            ...(body && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
            ...(forged && { 'x-forwarded-for': forged }),
          },
        },
        response => {
          const { headers, statusCode: status = 0 } = response;
          for (const one of headers['set-cookie'] ?? []) jar.push(one.split(';')[0]!);
          let text = '';
          response.on('data', (chunk: Buffer) => {
            text += String(chunk);
            if (until === undefined || !text.includes(until)) return;
            resolve({ status, headers, body: text });
            request.destroy();
          });
          response.on('end', () => resolve({ status, headers, body: text }));
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  return send;
}

async function uploadPieces(send: ReturnType<typeof browserOf>, file: Buffer): Promise<Answer> {
  const hash = createHash('sha256').update(file).digest('hex');
  const piece = 4 * 2 ** 20;
  let last: Answer | undefined;
  for (let offset = 0; offset < file.length; offset += piece) {
    last = await send(`/api/v1/uploads/big.csv?size=${file.length}&sha256=${hash}&offset=${offset}`, {
      method: 'PUT',
      body: file.subarray(offset, offset + piece),
      type: 'application/octet-stream',
    });
    expect(last.body).toContain('received');
  }
  return last!;
}

describe.each(['nginx', 'caddy'] as const)('behind %s, as in the guide', name => {
  const program = findProxy(name);

  test.skipIf(program === undefined)(
    'users sign in, events stream, large files are uploaded, and the audit log has the client’s address',
    async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), `belvedere-${name}-`));
      // nginx's workers have a user of their own.
      await chmod(folder, 0o755);
      cleanUp.push(() => rm(folder, { recursive: true, force: true }));
      const team: RunningTeam = await runTeam(
        { 'belvedere.yaml': 'version: 1\ntitle: Shop\n', 'data/orders.csv': 'city,amount\nAachen,1\n' },
        { publicUrl: `https://${host}` },
      );
      cleanUp.push(() => team.close());
      await allRead(team);
      const port = await start[name](program!, team.server.port, folder);
      await expect.poll(() => hasCertificate(port), { timeout: 20_000 }).toBe(true);
      const send = browserOf(port);

      const signedIn = await send('/api/v1/sign-in', {
        method: 'POST',
        body: JSON.stringify({ email: 'olga@example.org', password }),
        forged: '203.0.113.66',
      });
      expect(signedIn.status).toBe(200);
      expect(signedIn.headers['set-cookie']).toEqual([
        expect.stringMatching(/^__Host-belvedere=.*; Secure/),
        expect.stringMatching(/^__Host-belvedere-device=/),
      ]);
      expect(signedIn.headers['strict-transport-security']).toContain('max-age=31536000');
      expect(JSON.parse((await send('/api/v1/session')).body)).toMatchObject({ role: 'owner' });

      const { entries } = await team.owner.client.listAudit({ query: { search: 'user.sign-in', limit: 1 } });
      expect(entries).toMatchObject([{ address: '127.0.0.1', outcome: 'done' }]);

      const events = await send('/api/v1/events', { until: '"kind":"workspace"' });
      expect(events.headers['content-type']).toContain('text/event-stream');

      const row = 'Aachen,1234567890,a text that makes the file long enough for the test\n';
      const file = Buffer.from(`city,amount,text\n${row.repeat(Math.ceil((50 * 2 ** 20) / row.length))}`);
      expect(JSON.parse((await uploadPieces(send, file)).body)).toMatchObject({
        isWhole: true,
        received: file.length,
      });
    },
  );
});

test('a client that is no proxy cannot choose its address', async () => {
  const team = await runTeam(
    { 'belvedere.yaml': 'version: 1\ntitle: Shop\n', 'data/orders.csv': 'city,amount\nAachen,1\n' },
    { publicUrl: `https://${host}`, trustedProxies: ['10.0.0.1'] },
  );
  cleanUp.push(() => team.close());
  const signIn = (from: string, forged: string) =>
    team.server.app.inject({
      method: 'POST',
      url: '/api/v1/sign-in',
      headers: { host, 'x-belvedere': '1', 'x-forwarded-for': forged },
      payload: { email: 'olga@example.org', password },
      remoteAddress: from,
    });
  await signIn('192.0.2.9', '203.0.113.66');
  await signIn('10.0.0.1', '198.51.100.7');
  await signIn('10.0.0.1', '203.0.113.66, 198.51.100.8');
  const { entries } = await team.owner.client.listAudit({ query: { search: 'user.sign-in', limit: 3 } });
  expect(entries.map(({ address }) => address)).toEqual(['198.51.100.8', '198.51.100.7', '192.0.2.9']);
});
