import { expect, test } from 'vitest';
import { joinSentences } from './join-sentences.ts';

test.each([
  [['It fired.', 'It fires now.'], 'It fired. It fires now.'],
  [['会触发 2 次。', '3 个分组。', '现在会触发。'], '会触发 2 次。3 个分组。现在会触发。'],
  [['Alone.', '', undefined], 'Alone.'],
  [[], ''],
])('%j are joined to “%s”', (sentences, joined) => {
  expect(joinSentences(sentences)).toBe(joined);
});
