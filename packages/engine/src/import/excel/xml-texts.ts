const mark = Buffer.from('&#');
const reference = /^&#(?:x([\da-f]{2,8})|(\d{3,8}));/i;
const longestReference = 12;

/**
 * XML with characters in place of references to them, such as `&#128578;`, except for those of ASCII, which may be
 * marks. The library cuts references to 16 bits, so that emoji become other characters, and decodes some texts as
 * UTF-8 after it has replaced them. openpyxl writes all characters beyond ASCII as references.
 */
export function withoutReferences(xml: Buffer): Buffer {
  let result: Buffer | undefined;
  let [from, length] = [0, 0];
  for (let at = xml.indexOf(mark); at !== -1; at = xml.indexOf(mark, at + mark.length)) {
    const [whole, hex, decimal] = reference.exec(xml.toString('latin1', at, at + longestReference)) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isSurrogate = code >= 0xd8_00 && code <= 0xdf_ff;
    if (!(code > 0x7f && code <= 0x10_ff_ff) || isSurrogate) continue;
    // A character is never longer than the reference to it.
    result ??= Buffer.allocUnsafe(xml.length);
    length += xml.copy(result, length, from, at);
    length += result.write(String.fromCodePoint(code), length);
    from = at + whole!.length;
  }
  if (!result) return xml;
  length += xml.copy(result, length, from);
  return result.subarray(0, length);
}

const textCell = Buffer.from('t="str"');
const value = /(<(?:\w+:)?v\b[^>]*>)([^<]*)/;

/**
 * The XML of a sheet in which the texts of formulas are escaped twice, because the library decodes them twice:
 * `AT&amp;amp;T` would become `AT&T`. Several programs write all texts in this way.
 */
export function withTextsEscapedTwice(xml: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  const cellEnd = Buffer.from(xml.includes('</c>') ? '</c>' : ':c>');
  for (let at = xml.indexOf(textCell); at !== -1; at = xml.indexOf(textCell, at + textCell.length)) {
    const end = xml.indexOf(cellEnd, at);
    if (end === -1) break;
    const cell = xml.toString('latin1', at, end);
    if (!/&|_x[\da-f]{4}_/i.test(cell)) continue;
    const escaped = cell.replace(
      value,
      (_, tag: string, content: string) =>
        tag + content.replaceAll('&', '&amp;').replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_'),
    );
    parts.push(xml.subarray(from, at), Buffer.from(escaped, 'latin1'));
    from = end;
  }
  return parts.length === 0 ? xml : Buffer.concat([...parts, xml.subarray(from)]);
}
