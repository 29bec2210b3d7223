import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { shadowPosition } from './shadow-position.ts';
import { yamlTheme } from './yaml-editor.ts';

/** The differences of two texts in one view. */
export function TextDiff({
  before,
  after,
  label,
}: {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}) {
  const position = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { root, parent, remove } = shadowPosition(position.current!);
    const view = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          yamlTheme,
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
        ],
      }),
    });
    return () => {
      view.destroy();
      remove();
    };
  }, [before, after, label]);
  return <div ref={position} className="size-full" />;
}
