import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { labelFrom } from '@belvedere/document';
import { Button, LazyBoundary, lazyComponent, IconButton, Modal, Tabs } from '@belvedere/ui';
import { Code, History, Plus, Share2, SlidersHorizontal } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { client, useSources } from '../../data/server.ts';
import { isAllowed } from '../../data/permissions.ts';
import { usePermissions } from '../../data/use-permissions.ts';
import { useModels } from '../../editor/encoding/field-profiles.ts';
import { draftBackup } from '../../editor/state/draft-backup.ts';
import { ConflictDialog } from '../../editor/draft/ConflictDialog.tsx';
import { DiscardDialog } from '../../editor/draft/DiscardDialog.tsx';
import { DraftHeader } from '../../editor/draft/DraftHeader.tsx';
import { DraftNotices } from '../../editor/draft/DraftNotices.tsx';
import { useEditorKeys } from '../../editor/draft/use-editor-keys.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { words } from '../../editor/messages/words.ts';
import type { Key } from '../../keys/keys.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { PresenceProvider } from '../../editor/presence/PresenceProvider.tsx';
import { useOpenedEditor } from '../../editor/state/use-opened-editor.ts';
import { ColumnPanel } from '../../model-editor/ColumnPanel.tsx';
import { EntryPanel } from '../../model-editor/EntryPanel.tsx';
import { ModelEditor } from '../../model-editor/model-editor.ts';
import { namesInModel } from '../../model-editor/model-names.ts';
import {
  columnsOf,
  ModelEditingContext,
  useSchema,
  type ModelEditing,
  type SchemaColumn,
  type SchemaTable,
} from '../../model-editor/model-editing.ts';
import { ModelLists } from '../../model-editor/ModelLists.tsx';
import { ModelPanel } from '../../model-editor/ModelPanel.tsx';
import { SaveModelDraftDialog } from '../../model-editor/SaveModelDraftDialog.tsx';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton, ShareDialog } from '../../shell/ShareButton.tsx';
import type { SharedObject } from '../../accounts/account-data.ts';
import { t } from '../../messages/messages.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';

// Loads CodeMirror only for users who open the text.
const HistoryDialog = lazyComponent(() =>
  import('../../editor/draft/HistoryDialog.tsx').then(module => module.HistoryDialog),
);
const TextView = lazyComponent(() =>
  import('../../editor/text-view/TextView.tsx').then(module => module.TextView),
);

const open = (name: string) => ModelEditor.open(name, client, draftBackup);

/** Edits a model by mouse, by text, or both. */
export function ModelScreen() {
  const { model: name } = useParams({ from: '/models/$model' });
  const opened = useOpenedEditor(name, open);
  if (opened.error) return <ErrorScreen error={opened.error} />;
  if (!opened.editor)
    return (
      <HeaderTitle title={name}>
        <span />
      </HeaderTitle>
    );
  return <OpenModel editor={opened.editor} />;
}

const noKeys: readonly Key[] = [];
const noTables: readonly SchemaTable[] = [];
const noColumns: readonly SchemaColumn[] = [];

function OpenModel({ editor }: { readonly editor: ModelEditor }) {
  const document = useEditor(editor, state => state.document);
  const { data: schema } = useSchema(document.source ?? 'files');
  const { data: databases } = useSources();
  const sqlColumns = useEditor(editor, state => state.checked.columns);
  const modelEditing = useMemo((): ModelEditing => {
    const tables = schema?.tables ?? noTables;
    const own = sqlColumns ?? tables.find(table => table.name === document.table)?.columns ?? noColumns;
    return {
      editor,
      tables,
      own,
      columns: columnsOf(document, own, tables),
      sources: (databases?.sources ?? []).map(source => source.name),
    };
  }, [editor, document, schema, sqlColumns, databases]);
  return (
    <ModelEditingContext value={modelEditing}>
      <PresenceProvider editor={modelEditing.editor}>
        <Workbench modelEditing={modelEditing} />
      </PresenceProvider>
    </ModelEditingContext>
  );
}

type OpenDialog = 'save' | 'share' | 'discard' | 'history' | 'left' | 'right';

function Workbench({ modelEditing }: { readonly modelEditing: ModelEditing }) {
  const { editor } = modelEditing;
  const document = useEditor(editor, state => state.document);
  const selected = useEditor(editor, state => state.selected[0]);
  const checked = useEditor(editor, state => state.checked);
  const conflicts = useEditor(editor, state => state.conflicts);
  const [left, setLeft] = useState<'columns' | 'text'>('columns');
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const isWide = useIsWide();
  const permissions = usePermissions();
  const model = useModels(permissions.team).find(({ name }) => name === editor.name);
  const navigate = useNavigate();
  const { history } = useRouter();
  const names = useMemo(() => namesInModel(modelEditing), [modelEditing]);
  const ask = useCallback(() => setOpenDialog('save'), []);
  const close = () => (history.canGoBack() ? history.back() : void navigate({ to: '/data' }));
  useEditorKeys(editor, ask, noKeys);
  const leftPanel = (
    <>
      <div className="border-b border-border px-3">
        <Tabs
          label={words.panels.show}
          titles={[words.model.columns, words.panels.text]}
          selected={left === 'columns' ? 0 : 1}
          onSelect={index => setLeft(index === 0 ? 'columns' : 'text')}
        />
      </div>
      {left === 'columns' ? (
        <ColumnPanel />
      ) : (
        <LazyBoundary fallback={null}>
          <TextView
            editor={editor}
            label={words.model.text}
            names={names}
            found={checked.problems}
            onSave={ask}
          />
        </LazyBoundary>
      )}
    </>
  );
  const rightPanel = selected === undefined ? <ModelPanel /> : <EntryPanel key={selected} id={selected} />;
  const title = document.label ?? labelFrom(editor.name);
  const shared: SharedObject | undefined =
    permissions.team && model && isAllowed(model, 'manage')
      ? { kind: 'model', id: model.name, label: title }
      : undefined;
  const address = `/explore/${encodeURIComponent(editor.name)}`;
  return (
    <div className="-mx-5 -mb-10 flex max-[760px]:-mx-3">
      <HeaderTitle title={`${title} – ${words.editing}`}>
        <DraftHeader
          editor={editor}
          title={title}
          onSave={ask}
          onDiscard={() => setOpenDialog('discard')}
          onClose={close}
          entries={[
            ...(shared
              ? [
                  {
                    id: 'share',
                    label: t.sharing.share,
                    icon: <Share2 size={15} aria-hidden />,
                    onAction: () => setOpenDialog('share'),
                  },
                ]
              : []),
            {
              id: 'history',
              label: words.history.open,
              icon: <History size={15} aria-hidden />,
              onAction: () => setOpenDialog('history'),
            },
          ]}
        >
          {shared ? <ShareButton shared={shared} address={address} /> : null}
          <IconButton label={words.history.open} onPress={() => setOpenDialog('history')}>
            <History size={16} aria-hidden />
          </IconButton>
        </DraftHeader>
      </HeaderTitle>
      {isWide ? (
        <aside
          aria-label={left === 'columns' ? words.model.columns : words.panels.text}
          className={`sticky top-12 z-30 flex h-[calc(100dvh-var(--spacing)*12)] shrink-0 flex-col border-e border-border bg-surface ${left === 'text' ? 'w-[420px] max-w-[60vw] min-w-[280px] resize-x overflow-hidden' : 'w-[248px]'}`}
        >
          {leftPanel}
        </aside>
      ) : null}
      {/* A click beside the lists chooses the model itself. */}
      <div
        className="min-w-0 flex-1 px-4 pb-16"
        onPointerDown={event => event.target === event.currentTarget && editor.select()}
      >
        <DraftNotices editor={editor} />
        <ModelLists />
      </div>
      {isWide ? (
        <aside
          aria-label={selected === undefined ? words.model.title : words.model.entry}
          className="sticky top-12 h-[calc(100dvh-var(--spacing)*12)] w-[304px] shrink-0 overflow-y-auto border-s border-border bg-surface"
        >
          {rightPanel}
        </aside>
      ) : (
        <div className="fixed inset-x-0 bottom-0 z-30 flex justify-around border-t border-border bg-surface p-1.5">
          <Button
            look="quiet"
            onPress={() => {
              setLeft('columns');
              setOpenDialog('left');
            }}
          >
            <Plus size={16} aria-hidden />
            {words.model.columns}
          </Button>
          <Button
            look="quiet"
            onPress={() => {
              setLeft('text');
              setOpenDialog('left');
            }}
          >
            <Code size={16} aria-hidden />
            {words.panels.text}
          </Button>
          <Button look="quiet" onPress={() => setOpenDialog('right')}>
            <SlidersHorizontal size={16} aria-hidden />
            {selected === undefined ? words.model.title : words.model.entry}
          </Button>
        </div>
      )}
      {isWide ? null : (
        <Modal
          label={openDialog === 'left' ? words.model.columns : words.model.entry}
          isOpen={openDialog === 'left' || openDialog === 'right'}
          onOpenChange={isOpen => !isOpen && setOpenDialog(undefined)}
        >
          <div
            className={`flex flex-col overflow-y-auto ${openDialog === 'left' && left === 'text' ? 'h-[70vh]' : 'max-h-[70vh]'}`}
          >
            {openDialog === 'left' ? leftPanel : rightPanel}
          </div>
        </Modal>
      )}
      {openDialog === 'save' ? (
        <SaveModelDraftDialog editor={editor} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog === 'share' && shared ? (
        <LazyBoundary fallback={null}>
          <ShareDialog shared={shared} address={address} onClose={() => setOpenDialog(undefined)} />
        </LazyBoundary>
      ) : null}
      {openDialog === 'history' ? (
        <LazyBoundary fallback={null}>
          <HistoryDialog
            editor={editor}
            id={editor.id}
            list={(cursor, signal) =>
              client.listModelRevisions({ params: { name: editor.name }, query: { cursor } }, { signal })
            }
            get={(number, signal) =>
              client.getModelRevision({ params: { name: editor.name, number } }, { signal })
            }
            onClose={() => setOpenDialog(undefined)}
          />
        </LazyBoundary>
      ) : null}
      {openDialog === 'discard' ? (
        <DiscardDialog editor={editor} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {conflicts ? <ConflictDialog editor={editor} conflicts={conflicts} /> : null}
    </div>
  );
}
