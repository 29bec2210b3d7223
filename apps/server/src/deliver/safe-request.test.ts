import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RequestError, type ResolvedAddress } from './safe-addresses.ts';
import { postSafely, type SafeOptions } from './safe-request.ts';

/** A listener that no request may reach: it listens on every address of this machine. */
let forbidden: net.Server;
let connections = 0;
let port: number;
beforeAll(async () => {
  forbidden = net.createServer(socket => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>(resolve => {
    forbidden.listen({ port: 0, host: '::', ipv6Only: false }, resolve);
  }).catch(() => new Promise<void>(resolve => forbidden.listen(0, '0.0.0.0', resolve)));
  ({ port } = forbidden.address() as AddressInfo);
});
afterAll(() => forbidden.close());

const post = (url: string, options: SafeOptions = {}, allowed: readonly string[] = []) =>
  postSafely({ url, body: '{}', headers: {}, allowed: new Set(allowed) }, options);
const failureOf = (url: string, options?: SafeOptions, allowed?: readonly string[]) =>
  post(url, options, allowed).then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof RequestError) return error.reason;
      throw error;
    },
  );

const forbidden4 = [
  '0.0.0.0 0.0.0.1 0.1.2.3 10.0.0.1 10.1.2.3 10.255.255.254 100.64.0.1 100.100.100.200 100.127.255.254',
  '127.0.0.1 127.0.0.2 127.0.1.1 127.1.1.1 127.127.127.127 127.255.255.254 169.254.0.1 169.254.169.254',
  '169.254.170.2 172.16.0.1 172.17.0.1 172.20.10.1 172.31.255.254 192.0.0.1 192.0.0.170 192.0.0.192',
  '192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.1.1 192.168.255.254 192.175.48.1',
  '198.18.0.1 198.19.255.254 198.51.100.1 203.0.113.1 224.0.0.1 224.0.0.251 239.255.255.250 240.0.0.1 255.255.255.255',
]
  .join(' ')
  .split(' ');
/** Other ways to write an IPv4 address that browsers and Node understand. */
const spellings: readonly ((parts: readonly number[]) => string)[] = [
  ([a, b, c, d]) => String(((a! * 256 + b!) * 256 + c!) * 256 + d!),
  ([a, b, c, d]) => `0x${[a, b, c, d].map(part => part!.toString(16).padStart(2, '0')).join('')}`,
  parts => parts.map(part => `0${part.toString(8)}`).join('.'),
  parts => parts.map(part => `0x${part.toString(16)}`).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c! * 256 + d!}`,
  ([a, b, c, d]) => `${a}.${(b! * 256 + c!) * 256 + d!}`,
];
const hex = ([a, b, c, d]: readonly number[]) =>
  `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d!).toString(16)}`;
/** IPv6 addresses that contain one of IPv4. */
const wrappings: readonly ((parts: readonly number[]) => string)[] = [
  parts => `::ffff:${parts.join('.')}`,
  parts => `::ffff:${hex(parts)}`,
  parts => `::${hex(parts)}`,
  parts => `::ffff:0:${hex(parts)}`,
  parts => `64:ff9b::${hex(parts)}`,
  parts => `64:ff9b:1::${hex(parts)}`,
  parts => `2002:${hex(parts)}::1`,
  parts => `2001:0:4136:e378:8000:63bf:${hex(parts.map(part => 255 - part))}`,
  parts => `2a00:1450:4001:80b:0:5efe:${hex(parts)}`,
  parts => `0:0:0:0:0:ffff:${hex(parts)}`,
];
const forbidden6 = [
  ':: ::1 0:0:0:0:0:0:0:1 100::1 2001:db8::1 2001:2::1 2001:10::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254',
  'fe80::1 febf::1 fec0::1 ff01::1 ff02::1 ff05::2',
]
  .join(' ')
  .split(' ');
const wrapped = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1'];
const partsOf = (address: string) => address.split('.').map(Number);
const hosts = [
  ...forbidden4,
  ...forbidden4.slice(9, 20).flatMap(address => spellings.map(spell => spell(partsOf(address)))),
  ...forbidden6.map(address => `[${address}]`),
  ...wrapped.flatMap(address => wrappings.map(wrap => `[${wrap(partsOf(address))}]`)),
  // Full-width digits, dots of other scripts and circled digits, which the URL parser turns into plain ones.
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '127.1',
  '127.0.0.1.',
  '0',
  '0x0',
  '017700000001',
];
const names = ['localhost', 'LOCALHOST', 'localhost.', 'sub.localhost', 'ip6-localhost'];
const schemes = ['https', 'http'];
const forms = [...hosts, ...names].flatMap(host => schemes.map(scheme => `${scheme}://${host}`));

describe('a webhook’s address', () => {
  test('that is not public is never connected to, in any of its forms', async () => {
    expect(new Set(forms).size).toBeGreaterThan(300);
    for (const form of forms) {
      const found = await failureOf(`${form}:${port}/`);
      // A name that this machine does not know is no way in, either.
      expect([form, found]).toEqual([
        form,
        names.some(name => form.endsWith(name)) ? expect.stringMatching(/^f/) : 'forbidden',
      ]);
    }
    expect(connections).toBe(0);
  });

  test('must be a https address without a login', async () => {
    for (const url of [
      `http://example.com:${port}/`,
      `ftp://example.com:${port}/`,
      `file:///etc/passwd`,
      `gopher://127.0.0.1:${port}/_x`,
      `javascript:alert(1)`,
      `data:text/plain,x`,
      `unix:/var/run/docker.sock`,
      `//127.0.0.1:${port}`,
      `127.0.0.1:${port}`,
      `https://user:secret@example.com/`,
      `https://example.com@127.0.0.1:${port}/`,
      `https:\\\\127.0.0.1:${port}\\`,
      'https://',
      '',
    ])
      expect([url, await failureOf(url)]).toEqual([url, 'forbidden']);
    expect(connections).toBe(0);
  });

  const resolvesTo = (...answers: readonly (readonly string[])[]) => {
    const asked: string[] = [];
    const resolve = async (host: string): Promise<readonly ResolvedAddress[]> => {
      asked.push(host);
      return (answers[asked.length - 1] ?? answers.at(-1)!).map(address => ({
        address,
        family: net.isIP(address),
      }));
    };
    return { asked, resolve };
  };

  test.each([
    ...forbidden4.map(address => [address]),
    ...forbidden6.map(address => [address]),
    ...wrapped.flatMap(address => wrappings.map(wrap => [wrap(partsOf(address))])),
    ['fe80::1%lo'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['2606:4700::1', '::1'],
  ])('whose name leads to %s %s is not connected to', async (...addresses) => {
    const { resolve, asked } = resolvesTo(addresses.filter(address => address !== undefined));
    expect(await failureOf(`https://hooks.example.com:${port}/`, { resolve })).toBe('forbidden');
    expect(asked).toEqual(['hooks.example.com']);
    expect(connections).toBe(0);
  });

  test('is resolved once: a name that changes cannot lead elsewhere', async () => {
    const { resolve, asked } = resolvesTo(['192.0.2.1'], ['127.0.0.1']);
    expect(await failureOf(`https://rebinding.example.com:${port}/`, { resolve })).toBe('forbidden');
    // A public address that no machine here reaches, and then this one.
    const second = resolvesTo(['8.8.8.8'], ['127.0.0.1']);
    expect(
      await failureOf(`https://rebinding.example.com:${port}/`, { resolve: second.resolve, timeoutMs: 300 }),
    ).toBe('failed');
    expect([asked.length, second.asked.length, connections]).toEqual([1, 1, 0]);
  });

  test('is reached at the address that was checked, whatever the machine’s resolver says', async () => {
    const target = http.createServer((_, response) => response.end('ok'));
    await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
    const { port: own } = target.address() as AddressInfo;
    const { resolve } = resolvesTo(['127.0.0.1']);
    const host = `nowhere.invalid:${own}`;
    expect(await failureOf(`http://${host}/`, { resolve }, [host])).toBe(200);
    expect(await failureOf(`http://${host}/`, { resolve })).toBe('forbidden');
    expect(await failureOf(`http://nowhere.invalid:${port}/`, { resolve }, [host])).toBe('forbidden');
    target.close();
    expect(connections).toBe(0);
  });
});

describe('a webhook’s answer', () => {
  let target: http.Server;
  let origin: string;
  let allowed: readonly string[];
  const behaviours: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
    '/ok': response => response.end('ok'),
    '/redirect': response => response.writeHead(301, { location: `http://127.0.0.1:${port}/` }).end(),
    '/failing': response => response.writeHead(500, { 'retry-after': '7' }).end(),
    '/huge': response => {
      response.writeHead(200);
      const more = () => {
        while (response.writable && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more).on('error', () => {});
      more();
    },
    '/drop': response => response.destroy(),
    '/hang': () => {},
    '/hang-in-body': response => response.writeHead(202).write('a'),
    '/headers': response => response.writeHead(200, { x: 'y'.repeat(60_000) }).end(),
  };
  beforeAll(async () => {
    target = http.createServer({ maxHeaderSize: 100_000 }, (request, response) => {
      request.resume();
      behaviours[request.url!.split('?')[0]!]!(response);
    });
    await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve));
    const own = (target.address() as AddressInfo).port;
    origin = `http://127.0.0.1:${own}`;
    allowed = [`127.0.0.1:${own}`];
  });
  afterAll(() => {
    target.closeAllConnections();
    target.close();
  });
  const answer = (path: string) => failureOf(`${origin}${path}`, { timeoutMs: 500 }, allowed);

  test.each([
    ['/ok', 200],
    ['/redirect', 301],
    ['/failing', 500],
    ['/huge', 200],
    ['/hang-in-body', 202],
    ['/drop', 'failed'],
    ['/hang', 'failed'],
    ['/headers', 'failed'],
  ] as const)('of %s is %s', async (path, expected) => {
    const begun = performance.now();
    expect(await answer(path)).toBe(expected);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(connections).toBe(0);
  });

  test('has Retry-After', async () => {
    expect(await post(`${origin}/failing`, {}, allowed)).toEqual({ status: 500, retryAfter: '7' });
  });

  test('names the host in errors, never the path', async () => {
    await expect(post(`${origin}/hang?secret=1`, { timeoutMs: 50 }, allowed)).rejects.toThrow(
      '`127.0.0.1` did not answer in time.',
    );
    await expect(post('https://127.0.0.1/secret')).rejects.toThrow(
      /^`127\.0\.0\.1` is not on the public internet/,
    );
  });

  test('ends in time even if names are not resolved', async () => {
    const resolve = () => new Promise<never>(() => {});
    await expect(post('https://slow.example.com/', { resolve, timeoutMs: 50 })).rejects.toThrow(
      '`slow.example.com` did not answer in time.',
    );
  });
});
