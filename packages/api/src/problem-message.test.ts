import { expect, test } from 'vitest';
import { problemTypes } from './problem-types.ts';
import { germanProblems } from './problems-de.ts';
import { chineseProblems } from './problems-zh.ts';
import { keptDetail, problemSentence, problemMessage } from './problem-message.ts';

const problem = (type: string, detail: string) => ({ type, title: 'A title', status: 422, detail });

test('English is the server’s own', () => {
  expect(problemMessage(problem('table-gone', 'There is no table `a` any more.'), undefined)).toEqual({
    title: 'A title',
    text: 'There is no table `a` any more.',
  });
  expect(problemSentence(problem('table-gone', 'There is no table `a` any more.'), undefined)).toBe(
    'There is no table `a` any more.',
  );
});

test('another language says code and advice, and keeps what the server named', () => {
  expect(problemSentence(problem('table-gone', 'There is no table `a` any more.'), germanProblems)).toBe(
    'Eine Tabelle fehlt. Legen Sie die Datei zurück, oder ändern Sie die Tabelle im Modell. There is no table `a` any more.',
  );
  expect(
    problemMessage(problem('overloaded', 'Too many queries are waiting.'), germanProblems),
  ).not.toHaveProperty('original');
  expect(problemSentence(problem('overloaded', 'Too many queries are waiting.'), chineseProblems)).toBe(
    '同时进行的查询过多。 请在几秒钟后重试。',
  );
});

test('what policies keep from somebody is said in their language, and nothing in English beside it', () => {
  expect(problemMessage(problem('source-refused', keptDetail), germanProblems)).toEqual({
    title: 'Die Quelle hat abgelehnt',
    text: germanProblems.kept,
  });
  expect(problemMessage(problem('source-refused', keptDetail), undefined).text).toBe(keptDetail);
});

test('storage that fails is said by its reason, and by its code where the reason is not known', () => {
  const full = {
    ...problem('state-unavailable', '`a.yaml` could not be written.'),
    reason: 'disk-full',
  } as const;
  expect(problemMessage(full, germanProblems)).toEqual({
    title: germanProblems.types['state-unavailable'][0],
    text: germanProblems.storage['disk-full'],
    original: full.detail,
  });
  expect(problemMessage({ ...full, reason: 'of-tomorrow' as never }, chineseProblems).text).toBe(
    chineseProblems.types['state-unavailable'][1],
  );
});

test('a code of a newer server is told as it came', () => {
  expect(problemMessage(problem('of-tomorrow', 'Something new.'), germanProblems)).toEqual({
    title: 'A title',
    text: 'Something new.',
  });
});

test('nothing is left in English', () => {
  for (const [type, [, title]] of Object.entries(problemTypes))
    for (const words of [germanProblems, chineseProblems])
      expect(words.types[type as keyof typeof problemTypes][0], type).not.toBe(title);
});
