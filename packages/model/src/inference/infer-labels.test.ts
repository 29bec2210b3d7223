import { expect, test } from 'vitest';
import { inferLabels } from './infer-labels.ts';

const agree = 'How much do you agree with the following about your employer';

test.each([
  ['short names, unchanged', ['arr_delay', 'DepDelayMinutes'], ['Arr delay', 'Dep delay minutes']],
  [
    'long names with different beginnings, unchanged',
    ['What is your favourite programming language?', 'Which of these have you used in the last year?'],
    ['What is your favourite programming language?', 'Which of these have you used in the last year?'],
  ],
  [
    'questions with the same beginning, by their differing part',
    [`${agree}: pay is fair`, `${agree}: managers listen`, 'Country'],
    ['… pay is fair', '… managers listen', 'Country'],
  ],
  [
    'rows of a form’s grid',
    [`${agree}? [Pay is fair]`, `${agree}? [Managers listen]`],
    ['… Pay is fair', '… Managers listen'],
  ],
  [
    'names that share half a word, by whole words',
    [`${agree}: their pay`, `${agree}: them`],
    ['… their pay', '… them'],
  ],
  [
    'a name that is the prefix of others, unchanged',
    [agree, `${agree}: pay is fair`],
    [agree, '… pay is fair'],
  ],
  [
    'equal endings in two blocks, by more of the name',
    [`${agree}: pay`, 'How much do you agree with the following about your manager: pay'],
    ['… employer: pay', '… manager: pay'],
  ],
  [
    'the same answers to two questions, by their beginnings',
    [
      `${agree}: pay`,
      `${agree}: leave`,
      'Which of these would you like to have more of? pay',
      'Which of these would you like to have more of? leave',
    ],
    [
      'How much do you agree… pay',
      'How much do you agree… leave',
      'Which of these would… pay',
      'Which of these would… leave',
    ],
  ],
  [
    'names with equal endings, unchanged',
    [`${agree}: pay`, `${agree}:  pay`],
    [`${agree}: pay`, `${agree}: pay`],
  ],
  [
    'a single very long word, unchanged',
    ['x'.repeat(50), `${'x'.repeat(50)}y`],
    [`X${'x'.repeat(49)}`, `X${'x'.repeat(49)}y`],
  ],
])('%s', (_, columns, labels) => {
  expect(inferLabels(columns)).toEqual(labels);
});
