import { expect, test } from 'vitest';
import { newDocumentId } from './new-document-id.ts';

test.each([
  ['Late flights', [], 'late-flights'],
  ['Late flights', ['late-flights'], 'late-flights-2'],
  ['Late flights', ['late-flights', 'late-flights-2'], 'late-flights-3'],
  ['Ärger über 5 %', [], 'ärger-über-5'],
  ['销售', [], '销售'],
  ['!', [], 'untitled'],
])('%s beside %j is %s', (title, others, id) => {
  expect(newDocumentId(title, others)).toBe(id);
});
