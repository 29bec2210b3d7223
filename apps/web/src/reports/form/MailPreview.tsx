import type { ReportPreview } from '@belvedere/api';
import { useEffect, useRef } from 'react';
import { bytesText } from '../../data/bytes-text.ts';
import { words } from '../messages/words.ts';

/** A report's mail: its subject, its files, and its page as mail programs show it. */
export function MailPreview({ preview: { subject, html, files } }: { readonly preview: ReportPreview }) {
  return (
    <article
      aria-label={words.editor.mail}
      className="overflow-hidden rounded-tile border border-border bg-surface"
    >
      <dl className="grid grid-cols-[max-content_1fr] gap-x-3 border-b border-border px-4 py-2 text-13">
        <dt className="text-text-2">{words.editor.subject}</dt>
        <dd className="min-w-0 font-medium wrap-anywhere">{subject}</dd>
        <dt className="text-text-2">{words.editor.attachments}</dt>
        <dd className="min-w-0 wrap-anywhere">
          {files.length === 0
            ? words.editor.noAttachments
            : files.map(({ name, bytes }) => `${name} (${bytesText(bytes)})`).join(', ')}
        </dd>
      </dl>
      <MailPage html={html} />
    </article>
  );
}

/**
 * The page's content security policy forbids styles in markup. In a shadow root, the same styles are set by
 * script, and cannot reach anything else on the page.
 */
function MailPage({ html }: { readonly html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = document.createElement('div');
    place.current!.append(host);
    const root = host.attachShadow({ mode: 'open' });
    // The policy forbids them in a parsed document, too, so they are put aside before.
    const styles = html.matchAll(/<style>([^]*?)<\/style>/g);
    root.adoptedStyleSheets = Array.from(styles, ([, text = '']) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
    const plain = html.replaceAll(/<style>[^]*?<\/style>/g, '').replaceAll(' style="', ' data-style="');
    const mail = new DOMParser().parseFromString(plain, 'text/html');
    root.append(copyOf(mail.body));
    return () => host.remove();
  }, [html]);
  return (
    <div
      ref={place}
      className="max-h-[70dvh] overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={words.editor.mail}
    />
  );
}

const kept = ['alt', 'class', 'colspan', 'scope', 'width'];
const tags = new Set([
  'A',
  'B',
  'BODY',
  'BR',
  'DIV',
  'H1',
  'IMG',
  'LI',
  'P',
  'SPAN',
  'STRONG',
  'TABLE',
  'TBODY',
  'TD',
  'TH',
  'TR',
  'UL',
]);

/** Copies what mails of this server consist of, and nothing else. */
function copyOf(source: HTMLElement): HTMLElement {
  const copy = document.createElement(source.tagName === 'BODY' ? 'div' : source.tagName);
  for (const name of kept) {
    const value = source.getAttribute(name);
    if (value !== null) copy.setAttribute(name, value);
  }
  copy.style.cssText = source.dataset['style'] ?? '';
  const address = source.getAttribute('href') ?? '';
  if (source.tagName === 'A' && /^https?:/.test(address)) {
    copy.setAttribute('href', address);
    copy.setAttribute('target', '_blank');
    copy.setAttribute('rel', 'noreferrer');
  }
  const picture = source.getAttribute('src') ?? '';
  if (source.tagName === 'IMG' && picture.startsWith('data:image/png;')) copy.setAttribute('src', picture);
  for (const child of source.childNodes)
    if (child instanceof HTMLElement) {
      if (tags.has(child.tagName)) copy.append(copyOf(child));
    } else if (child.nodeType === Node.TEXT_NODE) copy.append(child.textContent ?? '');
  return copy;
}
