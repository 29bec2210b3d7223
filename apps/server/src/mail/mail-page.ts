/*
 * The frame of all mails in HTML. Styles are inline, since many mail programs know no others. Those that know the
 * style element get dark colours from it, and are told that the mail has both, so that they invert nothing.
 */

const dark: Readonly<Record<string, string>> = {
  page: 'background:#15181e;color:#e7eaf0',
  quiet: 'color:#a7b0be',
  line: 'border-color:#3a414d',
  link: 'color:#9db4fb',
  // The edges of messages, by their state and severity.
  'good-edge': 'border-color:#4bcaa0',
  'info-edge': 'border-color:#9db4fb',
  'warning-edge': 'border-color:#f0b252',
  'critical-edge': 'border-color:#ff8f85',
  'unknown-edge': 'border-color:#a7b0be',
  // Keeps its colours: white on it is readable on both grounds.
  button: 'background:#244fca;color:#ffffff',
};

const light: Readonly<Record<string, string>> = {
  page:
    'font-family:system-ui,-apple-system,"Segoe UI",sans-serif;font-size:15px;line-height:1.5;' +
    'background:#ffffff;color:#171b24;margin:0;padding:16px',
  quiet: 'font-size:12px;color:#535c6c',
  line: 'border-top:1px solid #c9ced8',
  link: 'color:#1d42aa',
  button:
    'display:inline-block;background:#244fca;color:#ffffff;padding:10px 18px;border-radius:6px;text-decoration:none',
};

/** Returns attributes with a look that has light and dark colours. @param more further inline styles */
export function look(names: string, more = ''): string {
  const styles = names.split(' ').flatMap(name => light[name] ?? []);
  const classes = names.split(' ').map(name => `b-${name}`);
  return `class="${classes.join(' ')}" style="${[...styles, more].filter(Boolean).join(';').replaceAll('"', "'")}"`;
}

/** Returns a whole mail around the HTML of its content. */
export function mailPage(lang: string, title: string, content: string): string {
  const rules = Object.entries(dark).map(
    ([name, style]) => `.b-${name}{${style.replaceAll(/;|$/g, '!important;')}}`,
  );
  return (
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
    `<title>${escaped(title)}</title>` +
    `<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}</style></head>` +
    `<body ${look('page')}><div style="max-width:640px;margin:0 auto">${content}</div></body></html>`
  );
}

/** Returns a button, and the address below it if it may have to be copied. */
export function button(label: string, address: string): string {
  return `<a href="${escaped(address)}" ${look('button')}>${escaped(label)}</a>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
