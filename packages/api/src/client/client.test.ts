import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { contract } from '../contract.ts';
import type { Endpoint } from '../endpoint.ts';

const clientOf = (text: string, type: string) =>
  createClient('http://server.example', () =>
    Promise.resolve(new Response(text, { headers: { 'content-type': type } })),
  );

test('a file is received as it is, even if it is JSON', async () => {
  for (const type of ['application/json', 'application/geo+json']) {
    const map = await clientOf('{"type":"FeatureCollection"}', type).getMap({ params: { file: 'a.json' } });
    expect(await map.json()).toEqual({ type: 'FeatureCollection' });
  }
});

test('a parameter without a value is not sent', async () => {
  const sent: string[] = [];
  const client = createClient('http://server.example', address => {
    sent.push(String(address));
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  });
  await client.listJobs({ query: { kind: undefined, state: 'done' } });
  await client.listJobs({ query: { kind: undefined } });
  expect(sent).toEqual([
    'http://server.example/api/v1/system/jobs?state=done',
    'http://server.example/api/v1/system/jobs',
  ]);
});

test('numbers in addresses are sent as digits', async () => {
  const sent: string[] = [];
  const client = createClient('http://server.example', address => {
    sent.push(String(address));
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  });
  await client.restoreDocument({ params: { number: 12 } });
  expect(sent).toEqual(['http://server.example/api/v1/trash/12/restore']);
});

test('half a character in a name is sent as one that no name has', async () => {
  const sent: string[] = [];
  const client = createClient('http://server.example', address => {
    sent.push(String(address));
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  });
  await client.getModel({ params: { name: 'a\ud800' } });
  expect(sent).toEqual(['http://server.example/api/v1/models/a%EF%BF%BD']);
});

test('the version that a save replaces is sent as If-Match', async () => {
  const sent: RequestInit[] = [];
  const client = createClient('http://server.example', (_, init) => {
    sent.push(init!);
    return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }));
  });
  const save = { params: { id: 'sales' }, body: { text: 'title: Sales' } };
  await client.saveDashboardText({ ...save, ifMatch: '0123' });
  await client.saveDashboardText(save);
  expect(sent.map(({ headers }) => (headers as Record<string, string>)['if-match'])).toEqual([
    '"0123"',
    undefined,
  ]);
  expect(sent[0]!.body).toBe('{"text":"title: Sales"}');
});

test('a response with a schema is decoded', async () => {
  expect(await clientOf('{"models":[]}', 'application/json; charset=utf-8').listModels({})).toEqual({
    models: [],
  });
});

test.each(Object.entries<Endpoint>(contract))('%s is marked as a file if it has no schema', (_, endpoint) => {
  const isStream = ['application/vnd.belvedere.frames', 'text/event-stream'].includes(
    String(endpoint.response),
  );
  expect(endpoint.isFile ?? false).toBe(typeof endpoint.response === 'string' && !isStream);
});
