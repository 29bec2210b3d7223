import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Bold, italic, code, links and lists are left. */
const without = [
  'blockQuote',
  'definition',
  'gfmFootnoteCall',
  'gfmFootnoteDefinition',
  'gfmPotentialFootnoteCall',
  'headingAtx',
  'htmlFlow',
  'htmlText',
  'labelStartImage',
  'setextUnderline',
  'strikethrough',
  'table',
  'tasklistCheck',
  'thematicBreak',
];
const tag = /<[^>]*>/g;
const allowed = /^<\/?(?:p|strong|em|code|pre|ul|ol|li|br)(?: start="\d+")?(?: \/)?>$/;
const webLink = /^<a href="(https?:\/\/[^"]*)"(?: title="[^"]*")?>$/i;

/**
 * A comment's Markdown as HTML with nothing but the tags named here. Anything else is shown as text, or left
 * out. Links lead to web pages, in windows of their own.
 *
 * @param mentions the names of people, which stand in the text as `@Name`
 */
export function commentHtml(text: string, mentions: readonly string[] = []): string {
  const html = micromark(text, {
    extensions: [gfm(), { disable: { null: without } }],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: false,
    allowDangerousProtocol: false,
  });
  let isLink = false;
  const safe = html.replace(tag, found => {
    if (allowed.test(found)) return found;
    if (found.startsWith('<code ')) return '<code>';
    const address = webLink.exec(found)?.[1];
    if (address !== undefined) {
      isLink = true;
      return `<a href="${address}" target="_blank" rel="noopener noreferrer nofollow">`;
    }
    if (found !== '</a>' || !isLink) return '';
    isLink = false;
    return found;
  });
  return withMentions(safe, mentions);
}

/** Marks names in texts, never within tags. */
function withMentions(html: string, mentions: readonly string[]): string {
  // Of two names that begin alike, the longer one.
  const names = mentions.map(name => `@${escaped(name)}`).toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return html;
  const pattern = new RegExp(
    names.map(name => name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
    'g',
  );
  return html
    .split(/(<[^>]*>)/)
    .map(part => (part.startsWith('<') ? part : part.replace(pattern, '<span class="mention">$&</span>')))
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, sign => entities[sign]!);
