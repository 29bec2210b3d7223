/**
 * Returns the origins of a text that lists them, as browsers write them; undefined if one of them is none. The
 * server checks them again.
 */
export function originsIn(text: string): string[] | undefined {
  const read = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(one => (URL.canParse(one) ? new URL(one) : undefined));
  const isOrigin = (url: URL | undefined) =>
    url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return read.length > 0 && read.every(isOrigin) ? [...new Set(read.map(url => url!.origin))] : undefined;
}
