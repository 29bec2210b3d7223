/**
 * Zod tries whether it may compile checks with `new Function`, which the CSP forbids and Firefox reports as
 * an error. This is `z.config({ jitless: true })`
 * without Zod, which only some screens need. It stands before everything else that a page loads, so that no
 * schema is made before it.
 */
(globalThis as { __zod_globalConfig?: { jitless?: boolean } }).__zod_globalConfig = { jitless: true };
