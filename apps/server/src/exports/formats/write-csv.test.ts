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

test.each([...'=+-@\t\r\n\0＝＋－＠﹢﹣﹦﹫'].flatMap(mark => [mark, ` ${mark}`, `\u200b${mark}`]))(
  'a text that begins with %j is no formula in a spreadsheet',
  async mark => {
    async function* pieces() {
      yield [[`${mark}1+1`], ['a=1+1']];
    }
    const columns = [{ label: 'text', type: 'text' }] as const;
    const written = writeCsv({ id: 'a', title: 'A', columns, pieces: pieces() });
    const isHarmless = /^\s[\t\r\n\0]|^\u200b[\t\r\n\0]/.test(mark);
    const text = (await Array.fromAsync(written)).join('');
    expect(text.includes(`'${mark}1+1`)).toBe(!isHarmless);
    expect(text).toContain('\r\na=1+1\r\n');
  },
);
