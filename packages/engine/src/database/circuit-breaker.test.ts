import { expect, test } from 'vitest';
import { EngineError } from '../result.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const unreachable = () => Promise.reject(new EngineError('source-unreachable', 'down'));
const refused = () => Promise.reject(new EngineError('source-refused', 'password'));

function clocked() {
  let now = 0;
  const circuit = new CircuitBreaker(() => now);
  let asked = 0;
  const ask = (result: () => Promise<unknown> = unreachable) =>
    circuit
      .run(() => (asked++, result()))
      .then(
        () => 'answered',
        (error: Error) => error.message,
      );
  return { circuit, ask, asked: () => asked, pass: (ms: number) => (now += ms) };
}

test('three failures open the breaker for a pause', async () => {
  const { ask, asked, pass } = clocked();
  for (let i = 0; i < 10; i++) expect(await ask()).toBe('down');
  expect(asked()).toBe(3);
  pass(5_001);
  await ask();
  await ask();
  expect(asked()).toBe(4);
});

test('the pause doubles up to half a minute', async () => {
  const { ask, asked, pass } = clocked();
  for (let i = 0; i < 3; i++) await ask();
  for (const ms of [5_000, 10_000, 20_000, 30_000, 30_000]) {
    const before = asked();
    pass(ms - 10);
    await ask();
    expect(asked()).toBe(before);
    pass(20);
    await ask();
    expect(asked()).toBe(before + 1);
  }
});

test('one trial query goes through, and its success closes the breaker for all', async () => {
  const { ask, asked, pass, circuit } = clocked();
  for (let i = 0; i < 3; i++) await ask();
  pass(5_001);
  const slow = Promise.withResolvers<unknown>();
  const probe = ask(() => slow.promise);
  expect(await ask(() => Promise.resolve())).toBe('down');
  slow.resolve(1);
  expect(await probe).toBe('answered');
  expect(await ask(() => Promise.resolve())).toBe('answered');
  expect(asked()).toBe(5);
  expect(circuit.trouble).toBeUndefined();
});

test('a refused login is tried three times a minute at most', async () => {
  const { ask, asked, pass } = clocked();
  for (let second = 0; second < 60; second++) {
    await ask(refused);
    pass(1000);
  }
  expect(asked()).toBeLessThanOrEqual(3);
});

test('queries with errors of their own leave it closed', async () => {
  const { ask, asked } = clocked();
  for (let i = 0; i < 10; i++) await ask(() => Promise.reject(new EngineError('query-failed', 'wrong')));
  expect(asked()).toBe(10);
});
