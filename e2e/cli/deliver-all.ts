import { openDelivering } from './delivering.ts';

/** A process that tests kill: it delivers the waiting messages of a folder, and ends. */

const [folder, smtpUrl, ...allowed] = process.argv.slice(2) as [string, string];
const { state, deliveries, job } = await openDelivering(folder, smtpUrl, new Set(allowed));
process.stdout.write('ready\n');
for (;;) {
  const open = await deliveries.records.list({ states: ['waiting', 'sending'], limit: 200 });
  if (open.length === 0) break;
  await Promise.all(
    open.map(({ id }) => job.run({ object: id, signal: new AbortController().signal }).catch(() => {})),
  );
}
await state.close();
