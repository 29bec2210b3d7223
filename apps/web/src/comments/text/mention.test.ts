import { describe, expect, test } from 'vitest';
import { mentionAt, withMention } from './mention.ts';

describe('a mention that is being typed', () => {
  test.each([
    ['@', 0, ''],
    ['Hi @An', 3, 'An'],
    ['(@An', 1, 'An'],
    ['Hi @Ana Maria Be', 3, 'Ana Maria Be'],
    ['line\n@李', 5, '李'],
  ])('of %j is found', (text, at, search) => {
    expect(mentionAt(text, text.length)).toEqual({ at, search });
  });

  test.each(['', 'Hi An', 'ana@example', '@Ana Maria Berg and', 'Hi @Ana\nthen', 'Hi @Ana  '])(
    'of %j is not',
    text => {
      expect(mentionAt(text, text.length)).toBeUndefined();
    },
  );

  test('is replaced by a name, and the text behind it stays', () => {
    expect(withMention('Hi @An, all', 3, 6, 'Ana Berg')).toEqual({ text: 'Hi @Ana Berg, all', caret: 12 });
    expect(withMention('@An', 0, 3, 'Ana')).toEqual({ text: '@Ana ', caret: 5 });
    expect(withMention('Hi @An all', 3, 6, 'Ana Berg')).toEqual({ text: 'Hi @Ana Berg all', caret: 13 });
  });
});
