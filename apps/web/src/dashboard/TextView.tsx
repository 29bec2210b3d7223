import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { useMemo } from 'react';

/** Markdown; HTML in it is shown as text, and links lead to web pages only. */
export function TextView({ text }: { readonly text: string }) {
  const html = useMemo(() => micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: false, allowDangerousProtocol: false }), [text]);
  return <div className="prose-tile size-full overflow-auto text-13 text-text" dangerouslySetInnerHTML={{ __html: html }} />;
}
