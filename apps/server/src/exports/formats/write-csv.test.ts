import { expect, test } from 'vitest';
import { writeCsv } from './write-csv.ts';

test('moments have the offset of their zone, which tells the repeated hour of autumn apart', async () => {
  async function* pieces() {
    yield ['2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z', '1890-01-01T00:00:00Z'].map(time => [
      Date.parse(time),
      Date.parse(time),
    ]);
  }
  const columns = [
    { label: 'at', type: 'time', zone: 'Europe/Berlin' },
    { label: 'wall', type: 'time' },
  ] as const;
  const text = (await Array.fromAsync(writeCsv({ id: 'a', title: 'A', columns, pieces: pieces() }))).join('');
  expect(text.split('\r\n')).toEqual([
    'at,wall',
    '2024-10-27T02:30:00+02:00,2024-10-27T00:30:00',
    '2024-10-27T02:30:00+01:00,2024-10-27T01:30:00',
    '1890-01-01T00:53:28+00:53,1890-01-01T00:00:00',
    '',
  ]);
});
