const position = '{value}';

/**
 * Whether a text is a web, mail or workspace address that contains `{value}`. `{value}` may come first, for
 * values that are addresses themselves.
 */
export function isLinkTemplate(text: string): boolean {
  return (
    /^(https?:\/\/|mailto:|\/(?![/\\])|\{value\})/.test(text) &&
    !/[\s\p{Cc}]/u.test(text.slice(0, 3)) &&
    text.includes(position)
  );
}

/**
 * Builds the link of a value from its dimension's template. Values are untrusted data, so a template escapes
 * them. If the value is the beginning of the address, the whole address must be a web or mail address.
 * @returns undefined for a missing value, and for any other address
 */
export function linkTo(template: string, value: string | number | boolean | null): string | undefined {
  if (value === null || value === '') return undefined;
  const text = template.startsWith(position) ? String(value) + template.slice(position.length) : template;
  const address = text.replaceAll(position, () => encodeURIComponent(String(value)));
  if (/^\/(?![/\\\s\p{Cc}])/u.test(template)) return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}
