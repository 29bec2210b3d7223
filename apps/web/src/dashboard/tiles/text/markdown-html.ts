import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Markdown as HTML: HTML in it is shown as text, and addresses are of the web, of mail or of this server. */
export function markdownHtml(text: string): string {
  const html = micromark(text, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: false,
    allowDangerousProtocol: false,
  });
  // `//host` names another server without a protocol that could be refused. Quotes in texts are entities
  // here: only attributes have them.
  const local = html.replace(
    / (href|src)="[\s\p{Cc}]*[/\\](?:[\s\p{Cc}]|%0[9aAdD]|&#x?[0-9a-fA-F]+;)*(?:[/\\]|%5[cC])[^"]*"/gu,
    ' $1=""',
  );
  // Pages load no pictures of other servers, which would learn of each reader: their texts stand for them.
  return local.replace(/<img src="[\s\p{Cc}]*[a-z][a-z\d+.-]*:[^"]*" alt="([^"]*)"[^>]*>/giu, '$1');
}
