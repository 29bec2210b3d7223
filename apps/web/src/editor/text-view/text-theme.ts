import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Texts that are edited, in our colours. */
export const textTheme: Extension = [
  EditorView.lineWrapping,
  EditorView.theme({
    '&': { height: '100%', fontSize: '12px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
    '.cm-scroller': { fontFamily: "ui-monospace, 'SFMono-Regular', Menlo, monospace", lineHeight: '18px' },
    '.cm-content': { caretColor: 'var(--accent)', padding: '8px 0' },
    '&.cm-focused': { outline: 'none' },
    '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none' },
    // Quiet enough for comments to be read on it.
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--canvas)' },
    '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--brush)',
    },
    '.cm-selectionMatch': { backgroundColor: 'var(--accent-weak)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--raised)',
      color: 'var(--text)',
      border: '1px solid var(--border)',
      borderRadius: '6px',
      boxShadow: 'var(--shadow)',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--accent)',
      color: 'var(--on-accent)',
    },
    '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal' },
    'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
    '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--border)' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
    '.cm-diagnosticAction': {
      backgroundColor: 'var(--accent)',
      color: 'var(--on-accent)',
      borderRadius: '4px',
    },
    '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
      { tag: [tags.string, tags.content], color: 'var(--text)' },
      { tag: [tags.keyword, tags.operatorKeyword, tags.typeName], color: 'var(--accent-text)' },
      { tag: tags.comment, color: 'var(--text-3)' },
      { tag: [tags.number, tags.bool], color: 'var(--good)' },
      { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-2)' },
    ]),
  ),
];
