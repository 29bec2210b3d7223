import type { EditorView } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { shadowPosition } from '../editor/text-view/shadow-position.ts';
import { words } from '../editor/messages/words.ts';
import type { SchemaTable } from '../model-editor/model-editing.ts';
import {
  createSqlEditor,
  insertName,
  replaceText,
  setSchema,
  statementIn,
  type SqlKind,
} from './sql-editor.ts';

interface SqlEditorProps {
  /** The element that holds the editor. */
  readonly container: RefObject<HTMLElement | null>;
  /** The text that the editor begins with: the same for as long as the component is mounted. */
  readonly initialText: string;
  readonly kind: SqlKind;
  /** The tables and columns that completion offers. */
  readonly tables: readonly SchemaTable[] | undefined;
  readonly onType: (text: string) => void;
  readonly onRun: () => void;
  readonly onFormat: () => void;
  /** Moves the focus out of the editor. */
  readonly onLeave: () => void;
}

interface SqlEditor {
  /** Of the text, in pixels. */
  readonly textHeight: number;
  readonly text: () => string;
  /** The selected text; without a selection, all of it. */
  readonly statement: () => string;
  readonly replace: (text: string) => void;
  /** Inserts a name at the cursor, with quotes where it needs them. */
  readonly insert: (name: string) => void;
  readonly focus: () => void;
}

/** An SQL editor in an element of the page. It has the focus when it appears. */
export function useSqlEditor({
  container,
  initialText,
  kind,
  tables,
  ...handlers
}: SqlEditorProps): SqlEditor {
  const view = useRef<EditorView | undefined>(undefined);
  const [textHeight, setTextHeight] = useState(0);
  const onType = useEffectEvent(handlers.onType);
  const onRun = useEffectEvent(handlers.onRun);
  const onFormat = useEffectEvent(handlers.onFormat);
  const onLeave = useEffectEvent(handlers.onLeave);

  useEffect(() => {
    const { root, parent, remove } = shadowPosition(container.current!);
    const created = createSqlEditor({
      root,
      parent,
      text: initialText,
      label: words.sql.label,
      onType: text => onType(text),
      onHeight: setTextHeight,
      onRun: () => onRun(),
      onFormat: () => onFormat(),
      onLeave: () => onLeave(),
    });
    view.current = created;
    created.focus();
    return () => {
      created.destroy();
      remove();
    };
  }, [container, initialText]);
  useEffect(() => {
    if (view.current && tables) setSchema(view.current, kind, tables);
  }, [tables, kind]);

  return {
    textHeight,
    text: () => view.current?.state.doc.toString() ?? '',
    statement: () => (view.current ? statementIn(view.current) : ''),
    replace: text => view.current && replaceText(view.current, text),
    insert: name => view.current && insertName(view.current, name),
    focus: () => view.current?.focus(),
  };
}
