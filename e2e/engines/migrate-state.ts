import { openStateDatabase } from '../../apps/server/src/state/state-database.ts';

/* Migrates the state database of a folder, or of an address, and says when it begins and ends. */

const [folder = '', url] = process.argv.slice(2);
process.stdout.write('begun\n');
await (await openStateDatabase({ folder, url })).close();
process.stdout.write('done\n');
