/**
 * The most cells that an OpenDocument sheet may have. Written one by one, so many exceed the largest part of a
 * workbook; a row or cell that is repeated takes a few bytes, whatever the number.
 */
export const maxRepeatedCells = 10_000_000;

/** The library's own expressions, so that both read the same tags and attributes. */
const tags = /<([/]?)([^\s?><!/:"]*:|)([^\s?<>:/"]+)(?:\s+[^<>=?"'\s]+="[^"]*?")*\s*[/]?>/gm;
const attributes = /\s([^"\s?>/]+)\s*=\s*((?:")([^"]*)(?:")|(?:')([^']*)(?:')|([^'">\s]+))/g;

/**
 * Counts the cells with a value in `content.xml` of an OpenDocument workbook, repeated ones as often as the library
 * would create them. Counting ends above the maximum.
 * @see OpenDocument 1.3, part 3, 19.675 and 19.679
 */
export function countRepeatedCells(content: string): number {
  let [cells, rows, columns] = [0, 1, 0];
  tags.lastIndex = 0;
  const xml = withoutComments(content);
  for (let tag = tags.exec(xml); tag && cells <= maxRepeatedCells; tag = tags.exec(xml)) {
    const [whole, slash, , named] = tag as unknown as [string, string, string, string];
    const [isEnd, isEmpty] = [slash === '/', whole.endsWith('/>')];
    switch (named.replace(/_.*$/s, '')) {
      case 'table-row':
      case '行':
        rows = isEnd ? 1 : repeats(whole, 'rows');
        break;
      case 'table-cell':
      case '数据':
        columns = isEnd || isEmpty ? 0 : repeats(whole, 'columns');
        // Cells without a type have a value if they have a paragraph.
        if (/value-type|数据类型/i.test(whole)) count();
        break;
      case 'p':
      case '文本串':
        count();
        break;
    }
  }
  return cells;

  function count(): void {
    cells += rows * columns;
    columns = 0;
  }
}

/** The greatest number that any spelling of the attribute gives. */
function repeats(tag: string, what: 'rows' | 'columns'): number {
  let maxRepeats = 1;
  for (const [, key, , double, single, bare] of tag.matchAll(attributes)) {
    if (!key!.toLowerCase().includes(`number-${what}-repeated`)) continue;
    const value = double ?? single ?? bare!;
    maxRepeats = Math.max(maxRepeats, Number(value) || 1, Number.parseInt(value, 10) || 1);
  }
  return maxRepeats;
}

/** The library removes comments before it looks for tags, even within attributes. */
function withoutComments(xml: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = xml.indexOf('<!--'); at !== -1; at = xml.indexOf('<!--', from)) {
    parts.push(xml.slice(from, at));
    const end = xml.indexOf('-->', at + 4);
    if (end === -1) return parts.join('');
    from = end + 3;
  }
  return parts.length === 0 ? xml : parts.join('') + xml.slice(from);
}
