import { contract, createClient, type Client, type Endpoint } from '@belvedere/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from './authenticator-app.ts';
import { password, runTeam, type Member, type RunningTeam } from '../running-team.ts';
import { SoftwareAuthenticator, type Deviation } from './software-authenticator.ts';

/* Second factors and passkeys over HTTP, with attacks on them. */

let team: RunningTeam;
/** The address at which browsers may use passkeys. */
let site: string;

beforeAll(async () => {
  team = await runTeam({ 'belvedere.yaml': 'version: 1\ntitle: Shop\n' });
  site = team.server.address.replace('127.0.0.1', 'localhost');
});
afterAll(() => team?.close());

let browsers = 0;

/** A browser: the cookies that the server has set. Each has its own network address. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly client: Client;

  constructor(cookie = '') {
    const remoteAddress = `10.1.0.${++browsers}`;
    for (const pair of cookie.split('; ').filter(Boolean)) this.#take(pair);
    this.client = createClient('', async (url, init) => {
      const { statusCode, payload, headers } = await team.server.app.inject({
        method: init!.method as 'POST',
        url: String(url),
        headers: {
          ...(init!.headers as Record<string, string>),
          host: new URL(site).host,
          cookie: this.header,
        },
        ...(init!.body !== undefined && { payload: init!.body as string }),
        remoteAddress,
      });
      for (const one of [headers['set-cookie'] ?? []].flat()) this.#take(one);
      return new Response(payload, {
        status: statusCode,
        headers: { 'content-type': String(headers['content-type']) },
      });
    });
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookie(ending: 'pending' | 'device' | ''): string | undefined {
    return [...this.cookies].find(([name]) =>
      (ending === '' ? /-\d+$/ : new RegExp(`-${ending}$`)).test(name),
    )?.[1];
  }

  #take(setCookie: string): void {
    const [name = '', value = ''] = setCookie.split(';')[0]!.split(/=(.*)/s);
    if (/Max-Age=0/.test(setCookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const signIn = async (email: string, browser = new Browser()) => ({
  browser,
  ...(await browser.client.signIn({ body: { email, password } })),
});
const status = (code: number) => ({ problem: { status: code } });

/** Turns on a member's authenticator app. The code that was used is of the time step before. */
async function withApp(member: Member) {
  const { key } = await member.client.startTwoFactor({});
  const body = { code: codeOf(key, Date.now() - 30_000) };
  const { backupCodes } = await member.client.enableTwoFactor({ body });
  return { key, backupCodes };
}
async function withPasskey(member: Member, name = 'Laptop') {
  const authenticator = new SoftwareAuthenticator(site);
  const { options } = await member.client.startPasskey({});
  await member.client.addPasskey({ body: { name, passkey: authenticator.create(options) } });
  return authenticator;
}

describe('the second step', () => {
  test('begins a session only in the browser that gave the password, with tokens of its own', async () => {
    const ida = await team.join('Ida', 'viewer');
    const { key } = await withApp(ida);
    const { browser, next } = await signIn(ida.email);
    expect(next).toBe('code');
    const pending = browser.cookie('pending')!;
    expect(browser.cookie('')).toBeUndefined();
    // Neither as a session, nor under another cookie, nor in another browser.
    await expect(new Browser(browser.header).client.getSession({})).rejects.toMatchObject(status(401));
    const port = new URL(site).port;
    await expect(new Browser(`belvedere-${port}=${pending}`).client.getSession({})).rejects.toMatchObject(
      status(401),
    );
    const code = codeOf(key);
    await expect(new Browser().client.enterCode({ body: { code } })).rejects.toMatchObject(status(401));
    await expect(
      new Browser(`belvedere-${port}-pending=${'x'.repeat(43)}`).client.enterCode({ body: { code } }),
    ).rejects.toMatchObject(status(401));
    await browser.client.enterCode({ body: { code } });
    expect(browser.cookie('pending')).toBeUndefined();
    expect(browser.cookie('')).not.toBe(pending);
    expect((await browser.client.getSession({})).user.email).toBe(ida.email);
    // A session that an attacker has planted is replaced, and does not become the user's.
    const planted = await team.join('Planted', 'viewer');
    const { key: other } = await withApp(await team.join('Ilse', 'viewer'));
    const victim = new Browser(planted.cookie);
    await signIn('ilse@example.org', victim);
    await victim.client.enterCode({ body: { code: codeOf(other) } });
    expect((await victim.client.getSession({})).user.name).toBe('Ilse');
    await expect(planted.client.getSession({})).rejects.toMatchObject(status(401));
  });

  test('tells nothing before the right password', async () => {
    const uwe = await team.join('Uwe', 'viewer');
    await withApp(uwe);
    const said = await Promise.all(
      [uwe.email, 'none@example.org'].map(email =>
        new Browser().client
          .signIn({ body: { email, password: 'wrong wrong wrong' } })
          .catch((error: { problem: object }) => ({ ...error.problem, instance: '' })),
      ),
    );
    expect(said[0]).toEqual(said[1]);
  });

  test('is not skipped by a reset link, nor by a code that was used or of another account', async () => {
    const rosa = await team.join('Rosa', 'viewer');
    const { key, backupCodes } = await withApp(rosa);
    const { key: foreign } = await withApp(await team.join('Fritz', 'viewer'));
    const { link } = await team.owner.client.createPasswordReset({ params: { user: rosa.id } });
    const browser = new Browser();
    const params = { token: link!.split('/').at(-1)! };
    expect(await browser.client.resetPassword({ params, body: { password } })).toEqual({ next: 'code' });
    await expect(browser.client.getSession({})).rejects.toMatchObject(status(401));
    for (const code of [codeOf(foreign), codeOf(key, Date.now() - 30_000), '', '000000 or 1=1'])
      await expect(browser.client.enterCode({ body: { code } })).rejects.toBeDefined();
    await browser.client.enterCode({ body: { code: backupCodes[0]! } });
    const { browser: second } = await signIn(rosa.email);
    await expect(second.client.enterCode({ body: { code: backupCodes[0]! } })).rejects.toMatchObject(
      status(403),
    );
  });

  test('confirms dangerous changes together with the password', async () => {
    const admin = await team.join('Adele', 'admin');
    const { key } = await withApp(admin);
    await expect(admin.client.confirmPassword({ body: { password } })).rejects.toMatchObject(status(403));
    await admin.client.confirmPassword({ body: { password, code: codeOf(key) } });
  });
});

describe('a required second factor', () => {
  test('keeps everyone without one from every endpoint until it is set up', async () => {
    await withPasskey(team.owner);
    const vera = await team.join('Vera', 'viewer');
    await expect(vera.client.requireTwoFactor({ body: { isRequired: false } })).rejects.toMatchObject(
      status(403),
    );
    await team.owner.client.requireTwoFactor({ body: { isRequired: true } });
    try {
      const { browser, next } = await signIn(vera.email);
      expect(next).toBe('set-up');
      for (const cookie of [vera.cookie, browser.header])
        for (const [name, { method, path, access }] of Object.entries(contract) as [string, Endpoint][]) {
          if (access.on === 'anyone') continue;
          const { statusCode } = await team.server.app.inject({
            method,
            url: path.replaceAll(/:\w+/g, 'x'),
            headers: { host: new URL(site).host, 'x-belvedere': '1', cookie },
          });
          expect([name, statusCode]).toEqual([name, 401]);
        }
      const page = await fetch(`${site}/`, { headers: { cookie: browser.header } });
      expect(await page.text()).toContain('data-signed-out');
      await expect(browser.client.enterCode({ body: { code: '123456' } })).rejects.toMatchObject(status(401));
      const { key } = await browser.client.startRequiredTwoFactor({});
      await expect(
        browser.client.enableRequiredTwoFactor({ body: { code: '000000' } }),
      ).rejects.toMatchObject(status(403));
      const { backupCodes } = await browser.client.enableRequiredTwoFactor({ body: { code: codeOf(key) } });
      expect(backupCodes).toHaveLength(10);
      expect((await browser.client.getSession({})).user.name).toBe('Vera');
      // The owner has only a passkey: the password needs it, and it cannot be removed.
      expect((await signIn(team.owner.email)).next).toBe('passkey');
      const { passkeys } = await team.owner.client.getTwoFactor({});
      await expect(
        team.owner.client.removePasskey({ params: { passkey: passkeys[0]!.id } }),
      ).rejects.toMatchObject(status(403));
      const invited = await team.owner.client.inviteUser({
        body: { email: 'new@example.org', role: 'viewer', groups: [] },
      });
      const joining = new Browser();
      const params = { token: invited.link!.split('/').at(-1)! };
      expect(await joining.client.acceptInvitation({ params, body: { name: 'New', password } })).toEqual({
        next: 'set-up',
      });
      await expect(joining.client.getSession({})).rejects.toMatchObject(status(401));
    } finally {
      await team.owner.client.requireTwoFactor({ body: { isRequired: false } });
    }
    const { passkeys } = await team.owner.client.getTwoFactor({});
    await team.owner.client.removePasskey({ params: { passkey: passkeys[0]!.id } });
  });

  test('is reset by an admin, but not for an owner, and shown to admins only', async () => {
    const ada = await team.join('Ada', 'admin');
    const lost = await team.join('Lotte', 'viewer');
    await withApp(lost);
    await withPasskey(lost);
    const { users } = await ada.client.listUsers({});
    expect(users.find(({ id }) => id === lost.id)).toMatchObject({ hasAuthenticator: true, passkeys: 1 });
    await expect(lost.client.listUsers({})).rejects.toMatchObject(status(403));
    await expect(lost.client.resetTwoFactor({ params: { user: lost.id } })).rejects.toMatchObject(
      status(403),
    );
    await withPasskey(team.owner);
    await expect(ada.client.resetTwoFactor({ params: { user: team.owner.id } })).rejects.toMatchObject(
      status(403),
    );
    await ada.client.resetTwoFactor({ params: { user: lost.id } });
    await expect(lost.client.getSession({})).rejects.toMatchObject(status(401));
    expect((await signIn(lost.email)).next).toBeUndefined();
  });
});

describe('a passkey', () => {
  const use = async (
    authenticator: SoftwareAuthenticator,
    deviation: Deviation = {},
    browser = new Browser(),
    email?: string,
  ) => {
    const { options } = await browser.client.getPasskeyOptions({});
    const passkey = authenticator.get(options, deviation);
    await browser.client.signInWithPasskey({ body: { passkey, ...(email !== undefined && { email }) } });
    return browser;
  };

  test('signs in without a password, and is used up by nothing else', async () => {
    const pia = await team.join('Pia', 'viewer');
    const authenticator = await withPasskey(pia);
    await withApp(pia);
    const browser = await use(authenticator, { userHandle: pia.id });
    expect((await browser.client.getSession({})).user.email).toBe(pia.email);
    const { passkeys } = await browser.client.getTwoFactor({});
    expect(passkeys).toMatchObject([{ name: 'Laptop', usedAt: expect.any(String) as string }]);
    await expect(use(authenticator, {}, new Browser(), 'other@example.org')).rejects.toMatchObject(
      status(401),
    );
  });

  test('is refused with anything wrong, always with the same answer', async () => {
    const otto = await team.join('Otto', 'viewer');
    const authenticator = await withPasskey(otto);
    await use(authenticator);
    const deviations: readonly Deviation[] = [
      { origin: 'https://evil.example' },
      { origin: team.server.address },
      { rpID: 'evil.example' },
      { challenge: Buffer.from('a'.repeat(32)).toString('base64url') },
      { type: 'webauthn.create' },
      { isVerified: false },
      { counter: 1 },
      { userHandle: team.owner.id },
      { hasOtherKey: true },
    ];
    const answers = new Set<string>();
    for (const deviation of deviations) {
      const outcome = await use(authenticator, deviation).then(
        () => 'signed in',
        (error: { problem: { status: number; detail: string } }) =>
          `${error.problem.status} ${error.problem.detail}`,
      );
      answers.add(outcome);
      expect([deviation, outcome.slice(0, 3)]).toEqual([deviation, '401']);
    }
    answers.add(
      await use(new SoftwareAuthenticator(site)).then(
        () => 'signed in',
        (error: { problem: { status: number; detail: string } }) =>
          `${error.problem.status} ${error.problem.detail}`,
      ),
    );
    expect(answers.size).toBe(1);
    await use(authenticator);
    await team.owner.client.updateUser({ params: { user: otto.id }, body: { isDisabled: true } });
    await expect(use(authenticator)).rejects.toMatchObject(status(401));
  });

  test('answers each challenge once, for what it was issued', async () => {
    const nora = await team.join('Nora', 'admin');
    const authenticator = await withPasskey(nora);
    const browser = new Browser();
    const { options } = await browser.client.getPasskeyOptions({});
    const passkey = authenticator.get(options);
    await browser.client.signInWithPasskey({ body: { passkey } });
    await expect(new Browser().client.signInWithPasskey({ body: { passkey } })).rejects.toMatchObject(
      status(401),
    );
    await expect(
      new Browser().client.signInWithPasskey({ body: { passkey: authenticator.get(options) } }),
    ).rejects.toMatchObject(status(401));
    const confirming = await nora.client.getConfirmOptions({});
    await expect(
      new Browser().client.signInWithPasskey({ body: { passkey: authenticator.get(confirming.options) } }),
    ).rejects.toMatchObject(status(401));
    const { options: signing } = await browser.client.getPasskeyOptions({});
    await expect(
      nora.client.confirmWithPasskey({ body: { passkey: authenticator.get(signing) } }),
    ).rejects.toMatchObject(status(403));
    // A challenge of another session of the same user.
    const { options: other } = await browser.client.getConfirmOptions({});
    await expect(
      nora.client.confirmWithPasskey({ body: { passkey: authenticator.get(other) } }),
    ).rejects.toMatchObject(status(403));
    const { options: own } = await nora.client.getConfirmOptions({});
    await nora.client.confirmWithPasskey({ body: { passkey: authenticator.get(own) } });
  });

  test('of another user confirms nothing, and is not theirs to rename or remove', async () => {
    const [karl, mara] = [await team.join('Karl', 'admin'), await team.join('Mara', 'viewer')];
    const authenticator = await withPasskey(mara);
    const { options } = await karl.client.getConfirmOptions({});
    await expect(
      karl.client.confirmWithPasskey({ body: { passkey: authenticator.get(options) } }),
    ).rejects.toMatchObject(status(403));
    const [own] = (await mara.client.getTwoFactor({})).passkeys;
    const params = { passkey: own!.id };
    await expect(karl.client.removePasskey({ params })).rejects.toMatchObject(status(404));
    await expect(karl.client.renamePasskey({ params, body: { name: 'Mine' } })).rejects.toMatchObject(
      status(404),
    );
    expect((await karl.client.getTwoFactor({})).passkeys).toEqual([]);
    // A credential that is registered cannot be claimed by another account.
    const { options: creating } = await karl.client.startPasskey({});
    await expect(
      karl.client.addPasskey({ body: { name: 'Stolen', passkey: authenticator.create(creating) } }),
    ).rejects.toMatchObject(status(400));
    await mara.client.renamePasskey({ params, body: { name: 'Phone' } });
    expect((await mara.client.getTwoFactor({})).passkeys).toMatchObject([{ name: 'Phone' }]);
    const { browser: lost } = await signIn(mara.email);
    await mara.client.removePasskey({ params });
    await expect(use(authenticator)).rejects.toMatchObject(status(401));
    // Its device may be in other hands.
    await expect(lost.client.getTwoFactor({})).rejects.toMatchObject(status(401));
    await mara.client.getTwoFactor({});
  });

  test('is added only with a challenge of the session, at the right origin, by a verified user', async () => {
    const [lena, hugo] = [await team.join('Lena', 'viewer'), await team.join('Hugo', 'viewer')];
    const add = async (deviation: Deviation, from = lena) => {
      const { options } = await from.client.startPasskey({});
      const passkey = new SoftwareAuthenticator(site).create(options, deviation);
      await lena.client.addPasskey({ body: { name: 'Key', passkey } });
    };
    for (const deviation of [
      { origin: 'https://evil.example' },
      { rpID: 'evil.example' },
      { challenge: 'AAAA' },
      { type: 'webauthn.get' },
      { isVerified: false },
    ])
      await expect(add(deviation)).rejects.toMatchObject(status(400));
    await expect(add({}, hugo)).rejects.toMatchObject(status(400));
    await add({});
    expect((await lena.client.getTwoFactor({})).passkeys).toHaveLength(1);
  });

  test('is offered at the host’s name only, where browsers accept it', async () => {
    expect((await createClient(site).getSignIn({})).canUsePasskeys).toBe(true);
    expect((await createClient(team.server.address).getSignIn({})).canUsePasskeys).toBe(false);
  });
});

test('all actions are in the audit log, without codes or keys', async () => {
  const tom = await team.join('Tom', 'viewer');
  const { key, backupCodes } = await withApp(tom);
  const { browser } = await signIn(tom.email);
  await browser.client.enterCode({ body: { code: '000000' } }).catch(() => {});
  await browser.client.enterCode({ body: { code: codeOf(key) } });
  await browser.client.renewBackupCodes({ body: { password, code: backupCodes[1]! } });
  await browser.client.disableTwoFactor({ body: { password, code: codeOf(key, Date.now() + 30_000) } });
  const { entries } = await team.owner.client.listAudit({ query: { search: 'tom@example.org', limit: 50 } });
  expect(
    entries.map(({ action, outcome, detail }) =>
      [action, outcome, ...(detail === undefined ? [] : [detail])].join(' '),
    ),
  ).toEqual([
    'user.disable-two-factor done',
    'user.renew-backup-codes done',
    'user.sign-in done with a code',
    'user.enter-code refused',
    'user.enable-two-factor done',
    'invitation.accept done as viewer',
    'invitation.create done as viewer',
  ]);
  const all = JSON.stringify(await team.owner.client.listAudit({ query: { limit: 500 } }));
  for (const secret of [key, ...backupCodes]) expect(all).not.toContain(secret);
});
