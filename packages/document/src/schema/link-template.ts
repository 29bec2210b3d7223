const position = '{value}';

/** Whether a text is an address on the web, by mail or within this workspace, with `{value}` in it; or `{value}` alone, where values are addresses themselves. */
export function isLinkTemplate(text: string): boolean {
  return (
    /^(https?:\/\/|mailto:|\/(?![/\\])|\{value\})/.test(text) &&
    !/[\s\p{Cc}]/u.test(text.slice(0, 3)) &&
    text.includes(position)
  );
}

/**
 * Where a value leads by its dimension's template.
 * Values are data, and may be anything: within a template they are escaped; where they are the beginning of an address, it is looked at as a
 * whole, and leads nowhere unless it is one of the web or of mail.
 * @returns undefined where there is no value, or it makes no such address
 */
export function linkTo(template: string, value: string | number | boolean | null): string | undefined {
  if (value === null || value === '') return undefined;
  const text = template.startsWith(position) ? String(value) + template.slice(position.length) : template;
  const address = text.replaceAll(position, () => encodeURIComponent(String(value)));
  if (/^\/(?![/\\\s\p{Cc}])/u.test(template)) return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}
