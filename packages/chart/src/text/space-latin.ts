/** Returns a Chinese text with a space between Chinese and Latin letters or digits: field names may be either. */
export function spaceLatin(text: string): string {
  return text.replaceAll(
    /(?<=\p{Script=Han})(?=[\p{Script=Latin}\d])|(?<=[\p{Script=Latin}\d%])(?=\p{Script=Han})/gu,
    ' ',
  );
}
