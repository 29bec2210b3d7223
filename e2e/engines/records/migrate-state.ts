import { openStateDatabase } from '../../../apps/server/src/state/database/state-database.ts';

/** Migrates the state database of a folder, or at an address, and prints when it begins and ends. */

const [folder = '', url] = process.argv.slice(2);
process.stdout.write('begun\n');
await (await openStateDatabase({ folder, url })).close();
process.stdout.write('done\n');
