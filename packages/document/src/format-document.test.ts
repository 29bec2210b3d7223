import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { formatDocument } from './format-document.ts';

test.each<[string, string, string]>([
  ['blanks inside braces and brackets', 'a: {b: 1,c: [ 1,2 ]}\n', 'a: { b: 1, c: [1, 2] }\n'],
  [
    'an indentation of two, and no trailing spaces',
    'pages:\n    - title: A   \n      tiles:\n            x: 1\n',
    'pages:\n  - title: A\n    tiles:\n      x: 1\n',
  ],
  [
    'comments, quoting, order and blank lines stay',
    '# first\nb: "x"\n\n\n# then\na: \'y\' # here\n',
    '# first\nb: "x"\n\n# then\na: \'y\' # here\n',
  ],
  ['texts stay on their line', 'a: { text: "one\\ntwo" }\n', 'a: { text: "one\\ntwo" }\n'],
  ['brackets in texts are unchanged', 'a: "see [ x ]"\nb: [ 1 ]\n', 'a: "see [ x ]"\nb: [ 1 ]\n'],
  ['invalid YAML is unchanged', 'a: [1\nb: 2\n', 'a: [1\nb: 2\n'],
])('%s', (_, text, formatted) => {
  expect(formatDocument(text)).toBe(formatted);
});

test('random documents keep their meaning, and formatting them again changes nothing', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), value, { minKeys: 1, maxKeys: 4 }),
      fc.constantFrom('any', 'flow', 'block'),
      fc.integer({ min: 1, max: 6 }),
      (content, collectionStyle, indent) => {
        const text = stringify(content, { collectionStyle: collectionStyle as 'any', indent, lineWidth: 40 });
        const once = formatDocument(text);
        expect(parse(once)).toEqual(parse(text));
        expect(formatDocument(once)).toBe(once);
      },
    ),
    { numRuns: 500 },
  );
});
