import { expect, test } from 'vitest';
import { LatestRecords } from './latest-records.ts';

/** Records whose reading ends when the test ends it. */
function slowRecords() {
  const calls: PromiseWithResolvers<readonly string[]>[] = [];
  const records = new LatestRecords(() => {
    const call = Promise.withResolvers<readonly string[]>();
    calls.push(call);
    return call.promise;
  });
  return { calls, records };
}

test('records that are read before others, and arrive after them, do not come back', async () => {
  const { calls, records } = slowRecords();
  const [first, second] = [records.read(), records.read()];
  calls[1]!.resolve([]);
  expect(await second).toEqual([]);
  calls[0]!.resolve(['revoked']);
  expect(await first).toBeUndefined();
});

test('records that this server changes while they are read are read again', async () => {
  const { calls, records } = slowRecords();
  const reading = records.read();
  records.noteChange();
  calls[0]!.resolve(['revoked']);
  await expect.poll(() => calls.length).toBe(2);
  calls[1]!.resolve([]);
  expect(await reading).toEqual([]);
});
