import { expect, test, vi } from 'vitest';
import { Notifications } from './notifications.ts';

const driver = vi.hoisted(() => ({ atOnce: 0, most: 0, queries: 0, connections: 0, isBroken: false }));
vi.mock('pg', () => ({
  default: {
    escapeIdentifier: (name: string) => `"${name}"`,
    Client: class {
      on() {}
      async connect() {
        driver.connections++;
      }
      async end() {}
      async query() {
        driver.queries++;
        driver.most = Math.max(driver.most, ++driver.atOnce);
        await new Promise(resolve => setTimeout(resolve, 1));
        driver.atOnce--;
        if (driver.isBroken) throw new Error('Query read timeout');
      }
    },
  },
}));

test('messages that are sent at once follow each other, and a failure does not hold up those behind it', async () => {
  const notifications = new Notifications({}, { channel: 'state', name: 'first' });
  await notifications.start({ onMessage: () => {}, onGap: () => {} });
  await Promise.all(Array.from({ length: 20 }, (_, i) => notifications.send({ i })));
  expect(driver).toMatchObject({ most: 1, queries: 22, connections: 1 });
  driver.isBroken = true;
  await Promise.all(Array.from({ length: 20 }, (_, i) => notifications.send({ i })));
  expect(driver.queries).toBe(23);
  await notifications.close();
});
