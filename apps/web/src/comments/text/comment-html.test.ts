import { describe, expect, test } from 'vitest';
import { commentHtml } from './comment-html.ts';
import { xssStrings } from './xss-strings.fixture.ts';

const link = 'a href="https?://[^"<>]*" target="_blank" rel="noopener noreferrer nofollow"';
const safeTag = new RegExp(
  `^<(?:/?(?:p|strong|em|code|pre|ul|ol|li|a|span)|br /|span class="mention"|${link})>$`,
);

describe('the HTML of a comment', () => {
  test.each([
    ['**bold** and *italic*', '<p><strong>bold</strong> and <em>italic</em></p>'],
    ['`a < b`', '<p><code>a &lt; b</code></p>'],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['one\ntwo', '<p>one\ntwo</p>'],
    [
      '[x](https://example.org "t")',
      '<p><a href="https://example.org" target="_blank" rel="noopener noreferrer nofollow">x</a></p>',
    ],
    [
      'see https://example.org/a',
      '<p>see <a href="https://example.org/a" target="_blank" rel="noopener noreferrer nofollow">https://example.org/a</a></p>',
    ],
    ['# 1', '<p># 1</p>'],
    ['> quoted', '<p>&gt; quoted</p>'],
    ['~~a~~ [x](mailto:a@example.org) [y](/d/sales)', '<p>~~a~~ x y</p>'],
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
  ])('of %j has the subset of Markdown, and the rest as text', (text, html) => {
    expect(commentHtml(text)).toBe(html);
  });

  test('marks people who are mentioned, whatever their names are', () => {
    expect(commentHtml('Hi @Ana Berg, @Ana', ['Ana', 'Ana Berg'])).toBe(
      '<p>Hi <span class="mention">@Ana Berg</span>, <span class="mention">@Ana</span></p>',
    );
    expect(commentHtml('@a"<b>$& [x](https://e.org/@Ana)', ['a"<b>$&', 'Ana'])).toBe(
      '<p><span class="mention">@a&quot;&lt;b&gt;$&amp;</span> ' +
        '<a href="https://e.org/@Ana" target="_blank" rel="noopener noreferrer nofollow">x</a></p>',
    );
  });

  test('of 200 hostile texts has no tags and attributes but these', () => {
    expect(xssStrings.length).toBeGreaterThanOrEqual(200);
    for (const text of xssStrings)
      for (const [tag] of commentHtml(text, ['hacked()', '"><img src=x onerror=hacked()>']).matchAll(
        /<[^>]*>?/g,
      ))
        expect([text, tag]).toEqual([text, expect.stringMatching(safeTag)]);
  });
});
