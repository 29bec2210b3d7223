import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * Incidents that alerts open in PagerDuty, and that stay open unless Belvedere ends them when the alert is
 * deleted.
 */

let folder: string;
let belvedere: Running;
let pagerduty: http.Server;
const events: string[] = [];
const ids = ['loosened', 'moved', 'deleted', 'gone', 'kept'];

const alert = (title: string, more = '') =>
  `version: 1\ntitle: ${title}\nwatch: { model: orders, measure: sum(amount) }\n` +
  `when: { above: 20 }\nnotify: [{ channel: pager }]\n${more}`;
const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
const eventsOf = (id: string) => events.filter(event => event.endsWith(` alert:${id}`));

beforeAll(async () => {
  pagerduty = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { event_action: action, dedup_key: key } = JSON.parse(body) as Record<string, string>;
      events.push(`${action} ${key}`);
      response.writeHead(202).end('{}');
    });
  });
  await new Promise<void>(resolve => pagerduty.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(pagerduty.address() as AddressInfo).port}`;
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-incidents-'));
  for (const name of ['alerts', 'data']) await mkdir(path.join(folder, name));
  await write('belvedere.yaml', `version: 1\ntitle: Shop\nwebhooks: { allow: ['${host}'] }\n`);
  await write('data/orders.csv', 'region,amount\nnorth,30\nsouth,5\n');
  belvedere = await runBelvedere(folder, { isTrusted: true });
  await allRead(belvedere);
  await belvedere.client.switchWebhooks({ body: { isOn: true } });
  await belvedere.client.createChannel({
    body: {
      name: 'pager',
      target: { kind: 'webhook', template: 'pagerduty', routingKey: 'r', url: `http://${host}/v2/enqueue` },
      limits: { perHour: 60, groupSeconds: 0 },
    },
  });
  for (const id of ids) await write(`alerts/${id}.yaml`, alert(id));
}, 60_000);
afterAll(async () => {
  await belvedere?.close();
  pagerduty?.close();
  await rm(folder, { recursive: true });
});

const both = (id: string) => [`trigger alert:${id}`, `resolve alert:${id}`];

test('an incident ends when its alert is loosened, notifies others, or is deleted, and only then', async () => {
  for (const id of ids)
    await expect.poll(() => eventsOf(id), { timeout: 20_000 }).toEqual([`trigger alert:${id}`]);
  await write('alerts/loosened.yaml', alert('loosened').replace('above: 20', 'above: 100'));
  await write('alerts/moved.yaml', alert('moved').replace('channel: pager', 'channel: other'));
  await write('alerts/kept.yaml', alert('kept', 'runbook: https://example.org/run\n'));
  await rm(path.join(folder, 'alerts/deleted.yaml'));
  for (const id of ['loosened', 'moved', 'deleted'])
    await expect.poll(() => eventsOf(id), { timeout: 20_000 }).toEqual(both(id));
  expect(eventsOf('kept')).toEqual(['trigger alert:kept']);
}, 60_000);

test('an alert whose file comes back opens a new one', async () => {
  await write('alerts/deleted.yaml', alert('deleted'));
  await expect
    .poll(() => eventsOf('deleted'), { timeout: 20_000 })
    .toEqual([...both('deleted'), 'trigger alert:deleted']);
}, 30_000);

test('an incident ends if its alert is deleted while the server is down', async () => {
  await belvedere.server.close();
  await rm(path.join(folder, 'alerts/gone.yaml'));
  belvedere = await runBelvedere(folder, { cache: process.env['XDG_CACHE_HOME'], isTrusted: true });
  await expect.poll(() => eventsOf('gone'), { timeout: 20_000 }).toEqual(both('gone'));
  expect(eventsOf('kept')).toEqual(['trigger alert:kept']);
}, 60_000);
