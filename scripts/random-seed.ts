// Gives fast-check the seed of the run. `BELVEDERE_SEED=N npm test` repeats a run of `npm run test:long`.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['BELVEDERE_SEED']) });
