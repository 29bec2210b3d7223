import { createClient, type Client, type Problem } from '@belvedere/api';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project, startCli } from '../browser.ts';

/* Team mode from the command line and over HTTP: set-up, invitations, sessions, and the commands for users. */

let folder: string;
let cli: Awaited<ReturnType<typeof startCli>>;
const ana = { email: 'ana@example.org', password: 'correct horse battery' };
const bob = { email: 'bob@example.org', password: 'staple paper window' };

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-serve-'));
  await mkdir(path.join(folder, 'data'));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
  await writeFile(path.join(folder, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
  cli = await startCli(['serve', folder]);
});
afterAll(async () => {
  await cli.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A browser with its own cookies. */
class Visitor {
  readonly cookies = new Map<string, string>();
  readonly client: Client = createClient(new URL(cli.url).origin, (input, init) => this.send(input, init));

  async send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(input, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'x-belvedere': '1', cookie },
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return response;
  }
}

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { problem: Problem }) => error.problem.type,
  );
const belvedere = (...words: readonly string[]) => {
  const program = path.join(project, 'apps', 'cli', 'src', 'main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return { status, out: stdout.trim(), err: stderr.trim() };
};

test('the first start prints a code, and nothing else answers until the first owner exists', async () => {
  const visitor = new Visitor();
  expect(await visitor.client.getSignIn({})).toEqual({
    title: 'Small',
    needsSetup: true,
    hasPasswords: true,
    hasMail: false,
    providers: [],
    canUsePasskeys: false,
  });
  expect(await problemOf(visitor.client.signIn({ body: ana }))).toBe('not-signed-in');
  expect(await problemOf(visitor.client.listDashboards({ query: {} }))).toBe('not-signed-in');
  const code = /Set-up code: (\S+)/.exec(cli.output())![1]!;
  const setUp = (given: string) => visitor.client.setUp({ body: { ...ana, name: 'Ana', code: given } });
  expect(await problemOf(setUp('AAAA-BBBB'))).toBe('not-allowed');
  await setUp(code);
  expect(await problemOf(setUp(code))).toBe('not-allowed');
  expect(await visitor.client.getSession({})).toMatchObject({ mode: 'team', role: 'owner' });
  expect(await new Visitor().client.getSignIn({})).toMatchObject({ title: 'Small', needsSetup: false });
});

test('an invited user chooses a password, and is signed out everywhere when disabled', async () => {
  const [owner, user] = [new Visitor(), new Visitor()];
  await owner.client.signIn({ body: ana });
  const group = 'g1';
  await owner.client.saveGroup({ params: { group }, body: { name: 'Sales', attributes: { region: 'eu' } } });
  const { link } = await owner.client.inviteUser({
    body: { email: bob.email, role: 'explorer', groups: [group] },
  });
  const token = /^\/invite\/([\w-]+)$/.exec(link!)![1]!;
  expect(await user.client.getInvitation({ params: { token } })).toEqual({
    title: 'Small',
    email: bob.email,
  });
  await user.client.acceptInvitation({ params: { token }, body: { name: 'Bob', password: bob.password } });
  expect(await user.client.getSession({})).toMatchObject({
    role: 'explorer',
    user: { name: 'Bob', email: bob.email },
  });
  expect(await problemOf(user.client.listUsers({}))).not.toBe('done');
  await user.client.updateProfile({ body: { name: 'Robert' } });
  const { users } = await owner.client.listUsers({});
  const found = users.find(one => one.email === bob.email)!;
  expect(found).toMatchObject({ name: 'Robert', groups: [group], isDisabled: false });
  const disable = (isDisabled: boolean) =>
    owner.client.updateUser({ params: { user: found.id }, body: { isDisabled } });
  expect(await disable(true)).toMatchObject({ isDisabled: true });
  expect(await problemOf(user.client.getSession({}))).toBe('not-signed-in');
  expect(await problemOf(user.client.signIn({ body: bob }))).toBe('not-signed-in');
  await disable(false);
  await user.client.signIn({ body: bob });
});

test('users see their sessions, end them, and change their password', async () => {
  const [here, there] = [new Visitor(), new Visitor()];
  for (const visitor of [here, there]) await visitor.client.signIn({ body: bob });
  const { sessions } = await here.client.listSessions({});
  const other = sessions.find(({ isCurrent }) => !isCurrent)!;
  await here.client.endSession({ params: { session: other.id } });
  await here.client.confirmPassword({ body: { password: bob.password } });
  await here.client.changePassword({ body: { current: bob.password, next: 'a new long password' } });
  expect((await here.client.listSessions({})).sessions).toHaveLength(1);
  expect(await problemOf(there.client.getSession({}))).toBe('not-signed-in');
  await here.client.changePassword({ body: { current: 'a new long password', next: bob.password } });
  await here.client.signOut({});
  expect(await problemOf(here.client.getSession({}))).toBe('not-signed-in');
});

test('the audit log lists all actions, without passwords or tokens', async () => {
  const owner = new Visitor();
  await owner.client.signIn({ body: ana });
  const { entries } = await owner.client.listAudit({ query: { search: 'invitation' } });
  expect(entries.map(({ action, actor, object }) => [action, actor, object])).toEqual([
    ['invitation.accept', 'Bob (bob@example.org)', undefined],
    ['invitation.create', 'Ana (ana@example.org)', bob.email],
  ]);
  const all = JSON.stringify((await owner.client.listAudit({ query: { limit: 500 } })).entries);
  for (const secret of [ana.password, bob.password, ...owner.cookies.values()])
    expect(all).not.toContain(secret);
});

test('neither the folder nor the console has tokens or passwords', async () => {
  const owner = new Visitor();
  await owner.client.signIn({ body: ana });
  const state = path.join(folder, '.belvedere');
  const texts = [cli.output()];
  for (const name of await readdir(state))
    if (name.startsWith('state.db')) texts.push(await readFile(path.join(state, name), 'latin1'));
  for (const secret of [ana.password, ...owner.cookies.values()])
    for (const text of texts) expect(text.includes(secret)).toBe(false);
  expect((await stat(path.join(state, 'secrets', '.accounts-secret'))).mode & 0o077).toBe(0);
});

test('commands for users need the folder; sessions and users survive a restart', async () => {
  const owner = new Visitor();
  await owner.client.signIn({ body: ana });
  expect(belvedere('user', 'list', folder)).toMatchObject({
    status: 1,
    err: expect.stringContaining('open in another Belvedere') as string,
  });
  await cli.stop();
  expect(belvedere('user', 'list', folder).out.split('\n')).toEqual([
    'ana@example.org  owner  Ana',
    'bob@example.org  explorer  Robert',
  ]);
  expect(belvedere('user', 'role', bob.email, 'editor', folder).out).toBe('bob@example.org  editor');
  expect(belvedere('user', 'role', ana.email, 'viewer', folder)).toMatchObject({
    status: 1,
    err: expect.stringContaining('only owner') as string,
  });
  expect(belvedere('user', 'disable', bob.email, folder).out).toBe('bob@example.org  editor  disabled');
  expect(belvedere('user', 'enable', 'nobody@example.org', folder)).toMatchObject({ status: 1 });
  const { out } = belvedere('user', 'reset', ana.email, folder, '--public-url', 'https://b.example');
  expect(out).toMatch(/^https:\/\/b\.example\/reset\/[\w-]{43}$/);
  const { link } = JSON.parse(
    belvedere('user', 'add', 'eve@example.org', 'viewer', folder, '--json').out,
  ) as {
    link: string;
  };
  cli = await startCli(['serve', folder]);
  expect(cli.output()).not.toContain('code');
  const eve = new Visitor();
  expect(await problemOf(eve.client.getInvitation({ params: { token: link.split('/')[2]! } }))).toBe('done');
  const reset = { params: { token: out.split('/').at(-1)! }, body: { password: 'found my password' } };
  await eve.client.resetPassword(reset);
  expect(await eve.client.getSession({})).toMatchObject({ role: 'owner', user: { name: 'Ana' } });
  expect(await problemOf(eve.client.resetPassword(reset))).toBe('not-found');
});

test('other machines are served only over an encrypted address, unless it is allowed', () => {
  const refused = { status: 1 };
  expect(belvedere('serve', folder, '--host', '0.0.0.0')).toMatchObject(refused);
  expect(belvedere('serve', folder, '--public-url', 'http://b.example')).toMatchObject({
    ...refused,
    err: expect.stringContaining('unencrypted') as string,
  });
  expect(belvedere('serve', folder, '--public-url', 'https://b.example/path')).toMatchObject({ status: 2 });
});

test('under a public address the session is sent over https only, and belongs to that host', async () => {
  await cli.stop();
  cli = await startCli(['serve', folder, '--public-url', 'https://b.example']);
  expect(cli.url).toBe('https://b.example');
  const state = path.join(folder, '.belvedere');
  const lock = (await readdir(state))
    .filter(name => name.startsWith('lock-'))
    .toSorted()
    .at(-1)!;
  const port = /127\.0\.0\.1:(\d+)/.exec(await readFile(path.join(state, lock), 'utf8'))![1]!;
  const signIn = (host: string) =>
    String(
      execFileSync('curl', [
        '-si',
        ...[
          `host: ${host}`,
          `origin: https://${host}`,
          'x-belvedere: 1',
          'content-type: application/json',
        ].flatMap(header => ['-H', header]),
        '-d',
        JSON.stringify({ email: ana.email, password: 'found my password' }),
        `http://127.0.0.1:${port}/api/v1/sign-in`,
      ]),
    );
  expect(signIn('b.example')).toMatch(
    /set-cookie: __Host-belvedere=\w+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax/,
  );
  expect(signIn('other.example')).toContain('403');
});
