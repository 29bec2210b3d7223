import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { completionsAt, type DocumentKind, type DocumentProblem, type Expected } from '@belvedere/document';
import { words } from '../messages/words.ts';
import { textTheme } from './text-theme.ts';

/** The known names that a document may use, with their meaning. */
export interface Names {
  offered(wanted: NonNullable<Expected['names']>, path: Expected['path']): readonly Completion[];
  describe(word: string): string | undefined;
}

export interface YamlEditorOptions {
  readonly parent: HTMLElement;
  readonly root: ShadowRoot;
  readonly text: string;
  readonly label: string;
  readonly kind: DocumentKind;
  readonly names: Names;
  readonly onType: (text: string) => void;
  readonly onCursor: (offset: number) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onSave: () => void;
  readonly onLeave: () => void;
}

/** Marks a change that was not typed here. */
const fromElsewhere = Annotation.define<true>();

/** CodeMirror for a document's text. It has no history of its own: undo is shared with edits by mouse. */
export function createYamlEditor(options: YamlEditorOptions): EditorView {
  const { parent, root, text, label, onType, onCursor } = options;
  return new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        search({ top: true }),
        lintGutter(),
        indentUnit.of('  '),
        EditorState.tabSize.of(2),
        yamlTheme,
        autocompletion({ override: [context => complete(context, options)], activateOnTyping: true }),
        // Hints do not cover the line below the cursor.
        hoverTooltip((view, offset) => help(view, offset, options), { hideOnChange: true }),
        keymap.of([
          { key: 'Mod-z', run: () => (options.onUndo(), true), shift: () => (options.onRedo(), true) },
          { key: 'Mod-y', run: () => (options.onRedo(), true) },
          { key: 'Mod-s', run: () => (options.onSave(), true) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...lintKeymap,
          ...defaultKeymap,
          indentWithTab,
          // Escape, then Tab, leaves: a field that keeps Tab must have a way out (WCAG 2.1.2).
          { key: 'Escape', run: () => (options.onLeave(), true) },
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(update => {
          const isOwn = update.transactions.some(
            transaction => transaction.docChanged && transaction.annotation(fromElsewhere) === undefined,
          );
          if (isOwn) onType(update.state.doc.toString());
          if (
            update.selectionSet &&
            update.view.hasFocus &&
            !update.transactions.some(transaction => transaction.annotation(fromElsewhere))
          )
            onCursor(update.state.selection.main.head);
        }),
      ],
    }),
  });
}

/** Replaces the text by changing only the differences, so that the cursor and the scroll position stay. */
export function showText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (now === text) return;
  let from = 0;
  while (from < now.length && from < text.length && now[from] === text[from]) from++;
  let [to, end] = [now.length, text.length];
  while (to > from && end > from && now[to - 1] === text[end - 1]) {
    to--;
    end--;
  }
  view.dispatch({
    changes: { from, to, insert: text.slice(from, end) },
    annotations: fromElsewhere.of(true),
  });
}

/** Underlines errors, with their fixes. */
export function showProblems(
  view: EditorView,
  problems: readonly Pick<DocumentProblem, 'line' | 'column' | 'message' | 'suggestion'>[],
  onFix: () => void,
): void {
  const { doc } = view.state;
  const diagnostics = problems.map(({ line, column, message, suggestion }): Diagnostic => {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    const from = Math.min(at.from + column - 1, at.to);
    const word = /^[\w.-]+/.exec(doc.sliceString(from, at.to))?.[0] ?? '';
    const wrong = /`([^`]*)`/.exec(message)?.[1];
    // The wrong word may be after the reported position.
    const position = wrong === undefined || wrong === word ? -1 : doc.sliceString(from, at.to).indexOf(wrong);
    const start = position >= 0 ? from + position : from;
    const end = Math.min(at.to, start + Math.max(1, position >= 0 ? wrong!.length : word.length));
    return {
      from: start,
      to: Math.max(start, end),
      severity: 'error',
      message,
      ...(suggestion &&
        wrong !== undefined &&
        doc.sliceString(start, end) === wrong && {
          actions: [
            {
              name: words.text.fix(suggestion),
              apply: (target, a, b) => {
                target.dispatch({ changes: { from: a, to: b, insert: suggestion } });
                onFix();
              },
            },
          ],
        }),
    };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Brings a place into view and marks it by the cursor. */
export function showPosition(view: EditorView, from: number): void {
  const at = Math.min(from, view.state.doc.length);
  view.dispatch({
    selection: { anchor: at },
    effects: EditorView.scrollIntoView(at, { y: 'center' }),
    annotations: fromElsewhere.of(true),
  });
}

function complete(context: CompletionContext, { kind, names }: YamlEditorOptions): CompletionResult | null {
  const word = isScheduled(kind) ? /[^\s"'[\]{},:#]*/ : /[\w.-]*/;
  const before = context.matchBefore(word);
  const previous = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && (!before || before.from === before.to) && !/[ {[:(,]/.test(previous)) return null;
  const expected = completionsAt(kind, context.state.doc.toString(), context.pos);
  if (!expected) return null;
  const asKey = (completion: Completion): Completion =>
    expected.kind === 'key' ? { ...completion, apply: `${completion.label}: ` } : completion;
  const words = expected.words.map((label): Completion =>
    asKey({ label, type: expected.kind === 'key' ? 'property' : 'constant' }),
  );
  const options = [
    ...words,
    ...(expected.names ? names.offered(expected.names, expected.path).map(asKey) : []),
  ];
  return options.length === 0
    ? null
    : { from: expected.from, options, validFor: new RegExp(`^${word.source}$`) };
}

/** Names in alerts and reports are addresses and aggregates, too. */
const isScheduled = (kind: DocumentKind) => kind === 'alert' || kind === 'report';

/** Shows the meaning of a name on hover. */
function help(view: EditorView, offset: number, { names }: YamlEditorOptions) {
  const line = view.state.doc.lineAt(offset);
  const start = line.from + (/[\w.-]*$/.exec(line.text.slice(0, offset - line.from))?.index ?? 0);
  const word = /^[\w.-]+/.exec(view.state.sliceDoc(start, line.to))?.[0];
  const text = word === undefined ? undefined : names.describe(word);
  if (text === undefined) return null;
  return {
    pos: start,
    end: start + word!.length,
    create: () => {
      const dom = document.createElement('div');
      dom.textContent = text;
      dom.style.padding = '4px 8px';
      dom.style.maxWidth = '40ch';
      return { dom };
    },
  };
}

/** YAML in our colours. */
export const yamlTheme: Extension = [yaml(), textTheme];
