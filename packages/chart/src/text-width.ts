/** About how wide a text is in Inter, without a canvas to measure it on; right to a few per cent for Latin, generous for the rest. */
export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += /[ilI.,:;'|!()[\] ]/.test(character) ? 0.3 : /[mwMW%@]/.test(character) ? 0.96 : /[A-Z0-9$€–−]/.test(character) ? 0.68 : character.charCodeAt(0) > 0x2e80 ? 1 : 0.56;
  return units * size;
}

/** The text, or as much of it as fits, with an ellipsis. */
export function fitText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, size) > width) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}
