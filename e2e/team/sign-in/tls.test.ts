import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { project } from '../../browser.ts';
import { allRead } from '../../running-belvedere.ts';
import { password, runTeam, type RunningTeam } from '../running-team.ts';

/** A server with its own certificate. */

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.error('NOT FOUND: openssl. THE TESTS OF TLS ARE SKIPPED.');
    return false;
  }
})();

let folder: string;
let team: RunningTeam;
const at = (name: string) => path.join(folder, name);

function makePair(name: string): void {
  execFileSync(
    'openssl',
    [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj'.split(' '),
      `/CN=${name}`,
      '-addext',
      'subjectAltName=DNS:localhost,DNS:board.example.org,IP:127.0.0.1',
      '-keyout',
      at(`${name}.key`),
      '-out',
      at(`${name}.pem`),
    ],
    { stdio: 'ignore' },
  );
}
const use = async (cert: string, key = cert) => {
  await copyFile(at(`${cert}.pem`), at('cert.pem'));
  await copyFile(at(`${key}.key`), at('key.pem'));
};
const port = () => team.server.port;
/** The name in the certificate of a new connection. */
const peerName = (options: object = {}) =>
  new Promise<string>((resolve, reject) => {
    const socket: TLSSocket = connect(
      { port: port(), host: '127.0.0.1', rejectUnauthorized: false, ...options },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
interface Said {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}
const send = (route: string, { method = 'GET', body }: { method?: string; body?: object } = {}) =>
  new Promise<Said>((resolve, reject) => {
    const request = https.request(
      {
        port: port(),
        host: '127.0.0.1',
        path: route,
        method,
        rejectUnauthorized: false,
        headers: { host: 'board.example.org', 'x-belvedere': '1', 'content-type': 'application/json' },
      },
      response => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: text }),
        );
      },
    );
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });

describe.skipIf(!hasOpenssl)('a server with its own certificate', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-tls-'));
    makePair('first');
    makePair('second');
    await use('first');
    // Trusts the certificate, which a client of this process needs.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    team = await runTeam(
      { 'belvedere.yaml': 'version: 1\ntitle: Shop\n', 'data/orders.csv': 'city,amount\nAachen,1\n' },
      {
        certificate: { cert: at('cert.pem'), key: at('key.pem') },
        publicUrl: 'https://board.example.org',
        auditLog: at('audit.jsonl'),
        host: '0.0.0.0',
      },
    );
    await allRead(team);
  });
  afterAll(async () => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    await team?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('sends HSTS and cookies that only HTTPS has', async () => {
    const { status, headers } = await send('/api/v1/sign-in', {
      method: 'POST',
      body: { email: 'olga@example.org', password },
    });
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    const cookies = headers['set-cookie'] as string[];
    expect(cookies[0]).toMatch(/^__Host-belvedere=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookies.every(one => one.startsWith('__Host-'))).toBe(true);
  });

  test('writes sign-ins to the file of the audit log', async () => {
    await vi.waitFor(async () => {
      const lines = (await readFile(at('audit.jsonl'), 'utf8')).trimEnd().split('\n');
      expect(lines.map(line => (JSON.parse(line) as { action: string }).action)).toEqual([
        'server.set-up',
        'user.sign-in',
      ]);
    });
    expect(await readFile(at('audit.jsonl'), 'utf8')).not.toContain(password);
  });

  test('is reached by `backup` on its machine, also if it listens on all addresses', async () => {
    const { NODE_TLS_REJECT_UNAUTHORIZED: _, ...env } = process.env;
    const main = path.join(project, 'apps/cli/src/main.ts');
    const given = ['backup', at('backup.tar.gz'), path.join(team.folder, 'workspace')];
    await promisify(execFile)(process.execPath, [main, ...given], { env });
    expect((await stat(at('backup.tar.gz'))).size).toBeGreaterThan(1000);
  });

  test('refuses TLS 1.1', async () => {
    await expect(
      peerName({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
    expect(await peerName({ maxVersion: 'TLSv1.2' })).toBe('first');
  });

  test('refuses ciphers without authenticated encryption', async () => {
    const by = (ciphers: string) => peerName({ maxVersion: 'TLSv1.2', ciphers });
    await expect(by('ECDHE-ECDSA-AES128-SHA')).rejects.toThrow();
    await expect(by('ECDHE-ECDSA-AES256-SHA384')).rejects.toThrow();
    expect(await by('ECDHE-ECDSA-AES128-GCM-SHA256')).toBe('first');
  });

  test('keeps its pair while the new files do not belong together, and says so', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await use('second', 'first');
    team.server.reopenFiles();
    const problems = async () => (await team.owner.client.getSystem({})).problems;
    await vi.waitFor(async () =>
      expect(await problems()).toMatchObject([
        { kind: 'certificate', message: expect.stringContaining('does not belong to') },
      ]),
    );
    expect(await peerName()).toBe('first');
    await writeFile(at('key.pem'), 'nonsense');
    team.server.reopenFiles();
    await vi.waitFor(async () => expect((await problems())[0]!.message).toContain('no PEM private key'));
    expect(await peerName()).toBe('first');
    logged.mockRestore();
  });

  test('uses renewed files without a restart', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    await use('second');
    team.server.reopenFiles();
    await vi.waitFor(async () => expect(await peerName()).toBe('second'));
    const { problems, certificate } = await team.owner.client.getSystem({});
    expect(problems).toEqual([]);
    expect(Date.parse(certificate!.validUntil)).toBeGreaterThan(Date.now());
    logged.mockRestore();
  });
});
