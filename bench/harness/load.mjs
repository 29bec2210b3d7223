// A load generator in its own process: simulates concurrent viewers with equal or different queries, and
// prints one line of JSON.
import http from 'node:http';

const { address, cookie, requests, readers, leaveAfterMs } = JSON.parse(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, maxSockets: readers });
const latencies = [];
const statuses = {};
let bytes = 0;
let retryAfters = 0;

async function ask({ method, path, body }) {
  const began = performance.now();
  await new Promise(resolve => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const request = http.request(
      address + path,
      {
        method,
        agent,
        headers: {
          cookie,
          'x-belvedere': '1',
          'accept-encoding': 'identity',
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      },
      response => {
        response.on('data', chunk => (bytes += chunk.length));
        response.on('end', () => {
          statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
          if (response.headers['retry-after']) retryAfters++;
          latencies.push(performance.now() - began);
          resolve();
        });
        response.on('error', resolve);
      },
    );
    request.on('error', error => {
      statuses[error.code ?? 'error'] = (statuses[error.code ?? 'error'] ?? 0) + 1;
      resolve();
    });
    if (leaveAfterMs !== undefined) setTimeout(() => request.destroy(), leaveAfterMs);
    request.end(payload);
  });
}

const began = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: readers }, async () => {
    while (next < requests.times * requests.of.length) await ask(requests.of[next++ % requests.of.length]);
  }),
);
const sorted = latencies.toSorted((a, b) => a - b);
const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
console.log(
  JSON.stringify({
    wallMs: performance.now() - began,
    answered: latencies.length,
    p50: at(0.5),
    p99: at(0.99),
    max: sorted.at(-1),
    statuses,
    retryAfters,
    bytes,
  }),
);
process.exit(0);
