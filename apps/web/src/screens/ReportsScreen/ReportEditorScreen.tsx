import type { ReportPreview } from '@belvedere/api';
import { writeDocument, type ReportFile } from '@belvedere/document';
import { Button, IconButton, LazyBoundary, lazyComponent, Tabs } from '@belvedere/ui';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Redo2, Undo2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { problemText } from '../../data/problem-text.ts';
import { client, useDashboards, useSession } from '../../data/server.ts';
import { words as editorWords } from '../../editor/messages/words.ts';
import { useEditorKeys } from '../../editor/draft/use-editor-keys.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { useOpenedEditor } from '../../editor/state/use-opened-editor.ts';
import type { Key } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';
import { MailPreview } from '../../reports/form/MailPreview.tsx';
import { words } from '../../reports/messages/words.ts';
import { refreshReports, useReports } from '../../reports/report-data.ts';
import { ReportForm } from '../../reports/form/ReportForm.tsx';
import { useReportNames } from '../../reports/use-report-names.ts';
import { copiedText } from '../../scheduled/copied-text.ts';
import { FoundProblems } from '../../scheduled/FoundProblems.tsx';
import { newDocumentId } from '../../scheduled/new-document-id.ts';
import { ScheduledEditor, type ScheduledTexts } from '../../scheduled/scheduled-editor.ts';
import { useTextProblems } from '../../scheduled/use-text-problems.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';

// CodeMirror is fetched when a text is looked at.
const TextView = lazyComponent(() =>
  import('../../editor/text-view/TextView.tsx').then(module => module.TextView),
);

const texts: ScheduledTexts = {
  get: id => client.getReportText({ params: { id } }),
  save: (id, text, base) => client.saveReportText({ params: { id }, body: { text }, ifMatch: base }),
};

/** A report that has a file. */
export function ReportEditorScreen() {
  const { report } = useParams({ from: '/reports/$report/edit' });
  const open = useCallback(
    (id: string) =>
      ScheduledEditor.open({
        kind: 'report',
        id,
        initial: newReport('', '', undefined),
        texts,
        nameOf: () => id,
      }),
    [],
  );
  return <Opened name={report} open={open} />;
}

/** A new report: of a dashboard if it was started there, or a copy of another. */
export function NewReportScreen() {
  const { dashboard = '', copy } = useSearch({ from: '/reports/new' });
  const { data: session } = useSession();
  const { data: list } = useDashboards();
  const { data: known } = useReports();
  const first = list?.dashboards.find(({ id }) => id === dashboard) ?? list?.dashboards[0];
  const [isReady, email] = [
    session !== undefined && list !== undefined && known !== undefined,
    session?.user.email,
  ];
  const { id, title } = first ?? { id: dashboard, title: words.editor.newTitle };
  const ids = known?.reports;
  const open = useCallback(
    async () => {
      const initial = newReport(id, title, email);
      const copied = copy && copiedText('report', (await texts.get(copy)).text, t.actions.copyOf, email);
      return ScheduledEditor.open({
        kind: 'report',
        id: undefined,
        initial: copied ? { ...initial, text: copied } : initial,
        texts,
        nameOf: document =>
          newDocumentId(
            document.title,
            (ids ?? []).map(report => report.id),
          ),
      });
    },
    // The list may be fetched again during an edit; the editor stays the same.
    // eslint-disable-next-line react/exhaustive-deps
    [id, title, email, copy, isReady],
  );
  if (!isReady)
    return (
      <HeaderTitle title={words.editor.newTitle}>
        <span />
      </HeaderTitle>
    );
  return <Opened name={`new ${copy ?? id}`} open={open} />;
}

function newReport(dashboard: string, title: string, owner: string | undefined) {
  const document: ReportFile = {
    version: 1,
    title: title === '' ? words.editor.newTitle : title,
    ...(owner !== undefined && { owner }),
    dashboard,
    schedule: { at: '08:00', days: 'weekdays' },
    ...(owner !== undefined && { to: [{ user: owner }] }),
  };
  return { text: writeDocument(document, 'report', 'reports/new.yaml'), document };
}

type Editor = ScheduledEditor<'report'>;

function Opened({ name, open }: { readonly name: string; readonly open: (name: string) => Promise<Editor> }) {
  const { editor, error } = useOpenedEditor(name, open);
  if (error) return <ErrorScreen error={error} />;
  if (!editor)
    return (
      <HeaderTitle title={words.title}>
        <span />
      </HeaderTitle>
    );
  return <Workbench editor={editor} />;
}

const noKeys: readonly Key[] = [];

function Workbench({ editor }: { readonly editor: Editor }) {
  const document = useEditor(editor, state => state.document);
  const problems = useEditor(editor, state => state.problems);
  const saving = useEditor(editor, state => state.saving);
  const problem = useEditor(editor, state => state.problem);
  const conflicts = useEditor(editor, state => state.conflicts);
  const text = useEditor(editor, state => state.text);
  const isChanged = useEditor(
    editor,
    state => state.base.hash === undefined || state.text !== state.base.text,
  );
  const found = useTextProblems(editor, 'report');
  const names = useReportNames(document);
  const [tab, setTab] = useState(0);
  const [isInvalid, setIsInvalid] = useState(false);
  const navigate = useNavigate();
  const isNew = editor.documentId === undefined;
  const save = useCallback(async () => {
    const wasNew = editor.documentId === undefined;
    if (!(await editor.save(''))) return;
    await refreshReports();
    const id = editor.documentId;
    if (wasNew && id !== undefined)
      await navigate({ to: '/reports/$report/edit', params: { report: id }, replace: true });
  }, [editor, navigate]);
  const onSave = useCallback(() => void (isInvalid || save()), [isInvalid, save]);
  useEditorKeys(editor, onSave, noKeys);
  const label = isNew ? words.editor.newTitle : words.editor.title(document.title);
  return (
    <div className="pt-4">
      <HeaderTitle title={label}>
        <h1 className="truncate text-14 font-semibold">{label}</h1>
        <span className="ms-auto flex gap-1">
          <IconButton label={editorWords.keys.undo} onPress={() => editor.undo()} className="max-sm:hidden">
            <Undo2 size={15} aria-hidden />
          </IconButton>
          <IconButton label={editorWords.keys.redo} onPress={() => editor.redo()} className="max-sm:hidden">
            <Redo2 size={15} aria-hidden />
          </IconButton>
          <Button
            look="primary"
            isDisabled={!isChanged || problems.length > 0 || isInvalid || saving === 'saving'}
            onPress={onSave}
          >
            {isChanged ? words.editor.save : words.editor.saved}
          </Button>
        </span>
      </HeaderTitle>
      <FormProblem problem={problem ?? (conflicts ? words.editor.conflict : undefined)} />
      <div className="mx-auto grid max-w-[1320px] grid-cols-[minmax(0,5fr)_minmax(0,6fr)] gap-6 max-lg:grid-cols-1">
        <section aria-label={tab === 0 ? words.editor.form : words.editor.text} className="min-w-0">
          <div className="mb-4 border-b border-border">
            <Tabs
              label={editorWords.panels.show}
              titles={[words.editor.form, words.editor.text]}
              selected={tab}
              onSelect={setTab}
            />
          </div>
          {tab === 0 ? (
            problems.length > 0 ? (
              <FormProblem problem={words.editor.unreadable} />
            ) : (
              <div className="flex flex-col gap-4">
                <FoundProblems problems={found} />
                <ReportForm
                  document={document}
                  onEdit={(name, edits, joins) => void editor.apply(name, edits, joins)}
                  onInvalid={setIsInvalid}
                />
              </div>
            )
          ) : (
            <div className="flex h-[70dvh] flex-col overflow-hidden rounded-tile border border-border bg-surface">
              <LazyBoundary fallback={null}>
                <TextView
                  editor={editor}
                  label={words.editor.textLabel}
                  names={names}
                  found={found}
                  onSave={onSave}
                />
              </LazyBoundary>
            </div>
          )}
        </section>
        <Preview text={text} isReadable={problems.length === 0} />
      </div>
    </div>
  );
}

/** The mail of the text: drawn at first, and then when asked for, since that takes seconds. */
function Preview({ text, isReadable }: { readonly text: string; readonly isReadable: boolean }) {
  const { data: session } = useSession();
  const [drawn, setDrawn] = useState<{ readonly of: string; readonly preview: ReportPreview }>();
  const [isDrawing, setIsDrawing] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(undefined);
    setSentTo(undefined);
    setIsDrawing(true);
    try {
      await work();
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setIsDrawing(false);
    }
  };
  const draw = () =>
    attempt(async () => setDrawn({ of: text, preview: await client.previewReport({ body: { text } }) }));
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || !isReadable) return;
    isBegun.current = true;
    void draw();
  });
  const send = () => attempt(async () => setSentTo((await client.sendReport({ body: { text } })).to));
  return (
    <section aria-label={words.editor.preview} className="flex min-w-0 flex-col gap-3 pb-8">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="me-auto text-15 font-semibold">{words.editor.preview}</h2>
        <Button isDisabled={isDrawing || !isReadable} onPress={() => void draw()}>
          {words.editor.drawPreview}
        </Button>
        {session?.mode === 'team' ? (
          <Button isDisabled={isDrawing || !isReadable} onPress={() => void send()}>
            {words.editor.sendToMe}
          </Button>
        ) : null}
      </div>
      <p role="status" className="text-12 text-text-2">
        {isDrawing
          ? words.editor.drawing
          : sentTo !== undefined
            ? words.editor.sent(sentTo)
            : drawn && drawn.of !== text
              ? words.editor.outdated
              : words.editor.previewHint}
      </p>
      <FormProblem problem={problem} />
      {drawn ? (
        <MailPreview preview={drawn.preview} />
      ) : (
        <div
          aria-hidden
          className={`rounded-tile border border-dashed border-border-strong bg-surface py-24 ${isDrawing ? 'animate-pulse' : ''}`}
        />
      )}
    </section>
  );
}
