// A load generator in its own process: simulates concurrent viewers with equal or different queries, and
// prints one line of JSON. With the `secret` of a public link, each viewer opens the link before each round of
// requests, and a round counts as one.
import http from 'node:http';

const { address, cookie, secret, requests, readers, leaveAfterMs } = JSON.parse(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, maxSockets: readers });
const latencies = [];
const statuses = {};
let bytes = 0;
let retryAfters = 0;

/** @returns the body of the response, or undefined if none came */
async function ask({ method, path, body }, authorization) {
  return new Promise(resolve => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const request = http.request(
      address + path,
      {
        method,
        agent,
        headers: {
          ...(authorization ? { authorization } : cookie && { cookie }),
          'x-belvedere': '1',
          'accept-encoding': 'identity',
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      },
      response => {
        const chunks = [];
        response.on('data', chunk => {
          bytes += chunk.length;
          if (secret) chunks.push(chunk);
        });
        response.on('end', () => {
          statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
          if (response.headers['retry-after']) retryAfters++;
          resolve(Buffer.concat(chunks));
        });
        response.on('error', () => resolve(undefined));
      },
    );
    request.on('error', error => {
      statuses[error.code ?? 'error'] = (statuses[error.code ?? 'error'] ?? 0) + 1;
      resolve(undefined);
    });
    if (leaveAfterMs !== undefined) setTimeout(() => request.destroy(), leaveAfterMs);
    request.end(payload);
  });
}

async function take(all) {
  const start = performance.now();
  let authorization;
  if (secret) {
    const opened = await ask({ method: 'POST', path: '/api/v1/links/open', body: { secret } }, 'None');
    const { token } = JSON.parse(opened ?? '{}');
    if (token === undefined) return;
    authorization = `Guest ${token}`;
  }
  for (const one of all) if ((await ask(one, authorization)) === undefined) return;
  latencies.push(performance.now() - start);
}

const began = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: readers }, async () => {
    if (secret) while (next++ < requests.times) await take(requests.of);
    else
      while (next < requests.times * requests.of.length)
        await take([requests.of[next++ % requests.of.length]]);
  }),
);
const sorted = latencies.toSorted((a, b) => a - b);
const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
console.log(
  JSON.stringify({
    wallMs: performance.now() - began,
    queries: latencies.length,
    p50: at(0.5),
    p99: at(0.99),
    max: sorted.at(-1),
    statuses,
    retryAfters,
    bytes,
  }),
);
process.exit(0);
