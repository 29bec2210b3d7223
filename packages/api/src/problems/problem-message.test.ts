import { expect, test } from 'vitest';
import { problemTypes } from './problem-types.ts';
import { germanProblems } from './problems-de.ts';
import { chineseProblems } from './problems-zh.ts';
import { keptDetail, problemSentence, problemMessage } from './problem-message.ts';

const problem = (type: string, detail: string) => ({ type, title: 'A title', status: 422, detail });

test('English messages are the server’s own', () => {
  expect(problemMessage(problem('table-gone', 'There is no table `a` any more.'), undefined)).toEqual({
    title: 'A title',
    text: 'There is no table `a` any more.',
  });
  expect(problemSentence(problem('table-gone', 'There is no table `a` any more.'), undefined)).toBe(
    'There is no table `a` any more.',
  );
});

test('messages in other languages follow the code, with its advice, and keep the server’s names', () => {
  expect(problemSentence(problem('table-gone', 'There is no table `a` any more.'), germanProblems)).toBe(
    'Eine Tabelle fehlt. Legen Sie die Datei zurück, oder ändern Sie die Tabelle im Modell. There is no table `a` any more.',
  );
  expect(
    problemMessage(problem('overloaded', 'Too many queries are waiting.'), germanProblems),
  ).not.toHaveProperty('original');
  expect(problemSentence(problem('overloaded', 'Too many queries are waiting.'), chineseProblems)).toBe(
    '同时进行的查询过多。请在几秒钟后重试。',
  );
});

test('messages about policies are in the user’s language, without English', () => {
  expect(problemMessage(problem('source-refused', keptDetail), germanProblems)).toEqual({
    title: 'Die Quelle hat abgelehnt',
    text: germanProblems.kept,
  });
  expect(problemMessage(problem('source-refused', keptDetail), undefined).text).toBe(keptDetail);
});

test('storage failures are described by their reason, or by their code if the reason is unknown', () => {
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

test('messages with a code of a newer server are unchanged', () => {
  expect(problemMessage(problem('of-tomorrow', 'Something new.'), germanProblems)).toEqual({
    title: 'A title',
    text: 'Something new.',
  });
});

test('messages in other languages have no English left', () => {
  for (const [type, [, title]] of Object.entries(problemTypes))
    for (const words of [germanProblems, chineseProblems])
      expect(words.types[type as keyof typeof problemTypes][0], type).not.toBe(title);
});
