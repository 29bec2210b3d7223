import { joinSentences, type Session } from '@belvedere/api';
import type { AlertFile, Edit } from '@belvedere/document';
import { Button, LazyBoundary, lazyComponent, Tabs } from '@belvedere/ui';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useAlerts, refreshAlerts } from '../../alerts/alert-data.ts';
import { AlertForm } from '../../alerts/form/AlertForm.tsx';
import { lengthText } from '../../alerts/alert-texts.ts';
import { newAlert } from '../../alerts/new-alert.ts';
import { words } from '../../alerts/messages/words.ts';
import { useAlertNames } from '../../alerts/use-alert-names.ts';
import { shownTitle, underFilters } from '../../alerts/tile-measures.ts';
import { RehearsalChart } from '../../alerts/RehearsalChart.tsx';
import { thresholdsOf, useRehearsal } from '../../alerts/use-rehearsal.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient, useSession } from '../../data/server.ts';
import { readersLanguage, t } from '../../messages/messages.ts';
import { ConflictDialog } from '../../editor/draft/ConflictDialog.tsx';
import { DiscardDialog } from '../../editor/draft/DiscardDialog.tsx';
import { DraftHeader } from '../../editor/draft/DraftHeader.tsx';
import { DraftNotices } from '../../editor/draft/DraftNotices.tsx';
import { useEditorKeys } from '../../editor/draft/use-editor-keys.ts';
import { useModels } from '../../editor/encoding/field-profiles.ts';
import { PresenceProvider } from '../../editor/presence/PresenceProvider.tsx';
import { useEditor } from '../../editor/state/editing.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { useOpenedEditor } from '../../editor/state/use-opened-editor.ts';
import { copiedText } from '../../scheduled/copied-text.ts';
import { FoundProblems } from '../../scheduled/FoundProblems.tsx';
import { newDocumentId } from '../../scheduled/new-document-id.ts';
import { ScheduledEditor, type ScheduledTexts } from '../../scheduled/scheduled-editor.ts';
import { useTextProblems } from '../../scheduled/use-text-problems.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import type { Key } from '../../keys/keys.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';

const TextView = lazyComponent(() =>
  import('../../editor/text-view/TextView.tsx').then(module => module.TextView),
);

type AlertEditor = ScheduledEditor<'alert'>;

const texts: ScheduledTexts = {
  get: id => client.getAlertText({ params: { id } }),
  save: (id, text, base) => client.saveAlertText({ params: { id }, body: { text }, ifMatch: base }),
};

/** Names a new alert after its title, unlike those that there are. */
function nameOf({ title }: AlertFile): string {
  const known = queryClient.getQueryData<{ readonly alerts: readonly { readonly id: string }[] }>([
    'alerts',
    'list',
  ]);
  return newDocumentId(title, known?.alerts.map(({ id }) => id) ?? []);
}

const noDocument: AlertFile = {
  version: 1,
  title: '…',
  watch: { model: 'model', measure: 'rows' },
  when: { above: 0 },
};

const openSaved = (id: string): Promise<AlertEditor> =>
  ScheduledEditor.open({ kind: 'alert', id, initial: { text: '', document: noDocument }, texts, nameOf });

/** An alert that has a file, by form and text. */
export function AlertEditorScreen() {
  const { alert: id } = useParams({ from: '/alerts/$alert/edit' });
  const { editor, error } = useOpenedEditor(id, openSaved);
  return <Opened editor={editor} error={error} title={id} />;
}

/** A new alert: started from a tile or a model, or a copy of another. */
export function NewAlertScreen() {
  const search = useSearch({ from: '/alerts/new' });
  const { data: session } = useSession();
  useAlerts();
  if (!session) return null;
  return <NewAlert key={JSON.stringify(search)} search={JSON.stringify(search)} session={session} />;
}

function NewAlert({ search, session }: { readonly search: string; readonly session: Session }) {
  const open = useCallback(
    async (name: string): Promise<AlertEditor> => {
      const start = JSON.parse(name) as Parameters<typeof newAlert>[0];
      const initial =
        start.copy === undefined
          ? await newAlert(start, session, await tileTitleOf(start))
          : await copyOf(start.copy, session);
      return ScheduledEditor.open({ kind: 'alert', id: undefined, initial, texts, nameOf });
    },
    [session],
  );
  const { editor, error } = useOpenedEditor(search, open);
  return <Opened editor={editor} error={error} title={words.newTitle} />;
}

async function copyOf(id: string, { mode, user }: Session) {
  const { text } = await texts.get(id);
  const owner = mode === 'team' ? user.email : undefined;
  return { text: copiedText('alert', text, t.actions.copyOf, owner), document: noDocument };
}

async function tileTitleOf({
  dashboard,
  tile,
}: {
  readonly dashboard?: string;
  readonly tile?: string;
}): Promise<string | undefined> {
  if (dashboard === undefined || tile === undefined) return undefined;
  const opened = await client
    .getDashboard({ params: { id: dashboard }, query: { language: readersLanguage() } })
    .catch(() => undefined);
  return opened && shownTitle(underFilters(opened), tile);
}

function Opened({
  editor,
  error,
  title,
}: {
  readonly editor: AlertEditor | undefined;
  readonly error: Error | undefined;
  readonly title: string;
}) {
  if (error) return <ErrorScreen error={error} />;
  if (!editor)
    return (
      <HeaderTitle title={title}>
        <span />
      </HeaderTitle>
    );
  return (
    <PresenceProvider editor={editor}>
      <Workbench editor={editor} />
    </PresenceProvider>
  );
}

const noKeys: readonly Key[] = [];

function Workbench({ editor }: { readonly editor: AlertEditor }) {
  const document = useEditor(editor, state => state.document);
  const conflicts = useEditor(editor, state => state.conflicts);
  const [shown, setShown] = useState<'form' | 'text'>('form');
  const [isDiscarding, setIsDiscarding] = useState(false);
  const isWide = useIsWide();
  const models = useModels();
  const navigate = useNavigate();
  const close = useCallback(() => {
    const id = editor.documentId;
    void (id === undefined
      ? navigate({ to: '/alerts' })
      : navigate({ to: '/alerts/$alert', params: { alert: id } }));
  }, [editor, navigate]);
  const save = useCallback(() => {
    const isNew = editor.documentId === undefined;
    void editor.save('').then(async isSaved => {
      if (!isSaved) return;
      await refreshAlerts();
      if (isNew) close();
    });
  }, [editor, close]);
  useEditorKeys(editor, save, noKeys);
  const onEdit = useCallback(
    (edits: readonly Edit[], joins?: string) => void editor.apply(words.steps, edits, joins),
    [editor],
  );
  const found = useTextProblems(editor, 'alert');
  const names = useAlertNames(document, models);
  const form = (
    <>
      <FoundProblems problems={found} />
      <AlertForm document={document} models={models} onEdit={onEdit} />
    </>
  );
  const text = (
    <LazyBoundary fallback={null}>
      <TextView editor={editor} label={words.text} names={names} found={found} onSave={save} />
    </LazyBoundary>
  );
  return (
    <div className="-mx-5 -mb-10 flex max-[760px]:-mx-3">
      <HeaderTitle title={document.title}>
        <DraftHeader
          editor={editor}
          title={document.title}
          onSave={save}
          onDiscard={() => setIsDiscarding(true)}
          onClose={close}
        />
      </HeaderTitle>
      <div className="min-w-0 flex-1 px-5 pb-16 max-[760px]:px-3">
        <DraftNotices editor={editor} />
        <div className="mx-auto flex max-w-[760px] flex-col gap-5 pt-4">
          <RehearsalPart document={document} onEdit={onEdit} />
          {isWide ? (
            form
          ) : (
            <>
              <Tabs
                label={words.edit}
                titles={[words.form, words.textTab]}
                selected={shown === 'form' ? 0 : 1}
                onSelect={index => setShown(index === 0 ? 'form' : 'text')}
              />
              {shown === 'form' ? form : <div className="flex h-[60vh] flex-col">{text}</div>}
            </>
          )}
        </div>
      </div>
      {isWide ? (
        <aside
          aria-label={words.text}
          className={
            'sticky top-12 flex h-[calc(100dvh-var(--spacing)*12)] w-[400px] max-w-[45vw] shrink-0 ' +
            'flex-col border-s border-border bg-surface'
          }
        >
          {text}
        </aside>
      ) : null}
      {isDiscarding ? <DiscardDialog editor={editor} onClose={() => setIsDiscarding(false)} /> : null}
      {conflicts ? <ConflictDialog editor={editor} conflicts={conflicts} /> : null}
    </div>
  );
}

/** What the alert would have done over the past, computed here while a threshold is dragged. */
function RehearsalPart({
  document,
  onEdit,
}: {
  readonly document: AlertFile;
  readonly onEdit: (edits: readonly Edit[], joins?: string) => void;
}) {
  const { data, error, isFetching, refetch, rule, series, unit, rehearsal, isEmpty, isFiring } =
    useRehearsal(document);
  return (
    <section
      aria-label={words.rehearsal}
      aria-busy={isFetching}
      className="rounded-tile border border-border bg-surface p-4"
    >
      <h2 className="pb-1 text-13 font-semibold">{words.rehearsal}</h2>
      {error ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-bad">
          {problemText(error)}
          <Button look="quiet" onPress={() => void refetch()}>
            {words.tryAgain}
          </Button>
        </p>
      ) : data ? (
        <>
          <p role="status" data-testid="rehearsed" className="pb-2 text-text-2">
            {joinSentences([
              isEmpty
                ? words.noValues
                : words.rehearsed(rehearsal.fired, lengthText(rehearsal.longestMs), rehearsal.messages),
              data.groups > 1 ? words.rehearsedGroups(data.groups) : '',
              isFiring ? words.firingNow : '',
              data.hasOther ? words.other : '',
            ])}
          </p>
          {isEmpty ? null : (
            <RehearsalChart
              rule={rule}
              series={series}
              unit={unit}
              rehearsal={rehearsal}
              measure={data.measure}
              thresholds={thresholdsOf(document)}
              onThreshold={(key, value, gesture) =>
                onEdit(thresholdEdit(document, key, value), `${gesture} ${key}`)
              }
            />
          )}
        </>
      ) : (
        <div className="h-[220px] animate-pulse rounded-control bg-hover">
          <span className="sr-only">{words.loading}</span>
        </div>
      )}
    </section>
  );
}

/** Moves a threshold. The other end of a range, and the value at which it ends, never get on its wrong side. */
function thresholdEdit({ when }: AlertFile, key: string, value: number): readonly Edit[] {
  const set = (path: readonly (string | number)[], to: number): Edit => ({
    kind: 'set',
    path: ['when', ...path],
    value: to,
  });
  if (key === 'low') return [set(['outside', 0], Math.min(value, when.outside![1]))];
  if (key === 'high') return [set(['outside', 1], Math.max(value, when.outside![0]))];
  const { above, below, clear } = when;
  if (key === 'clear')
    return [set(['clear'], above === undefined ? Math.max(value, below!) : Math.min(value, above))];
  const isCrossed = clear !== undefined && (above === undefined ? clear < value : clear > value);
  return [set([key], value), ...(isCrossed ? [set(['clear'], value)] : [])];
}
