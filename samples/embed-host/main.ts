import { startHost } from './host.ts';
import { signToken } from './sign-token.ts';

const {
  BELVEDERE = 'http://127.0.0.1:4600',
  KEY_ID,
  KEY_SECRET,
  DASHBOARD,
  TILE,
  PORT = '8080',
} = process.env;
if (!KEY_ID || !KEY_SECRET || !DASHBOARD || !TILE)
  throw new Error('Set KEY_ID, KEY_SECRET, DASHBOARD and TILE: see README.md.');
const { port } = await startHost({
  belvedere: BELVEDERE,
  dashboard: DASHBOARD,
  tile: TILE,
  sign: () => signToken({ id: KEY_ID, secret: KEY_SECRET }, { dashboard: DASHBOARD, sub: 'ada' }),
  port: Number(PORT),
});
console.log(`http://localhost:${port}`);
