import { expect, test } from 'vitest';
import { originsIn } from './origins.ts';

test.each([
  ['https://app.example.com', ['https://app.example.com']],
  [' https://App.example.com:443/ ', ['https://app.example.com']],
  [
    'http://localhost:8080, https://a.example\nhttps://a.example',
    ['http://localhost:8080', 'https://a.example'],
  ],
  ['', undefined],
  ['app.example.com', undefined],
  ['https://app.example.com/path', undefined],
  ['https://app.example.com https://', undefined],
  ['https://user@app.example.com', undefined],
  ['javascript:alert(1)', undefined],
])('%j lists %j', (text, origins) => {
  expect(originsIn(text)).toEqual(origins);
});
