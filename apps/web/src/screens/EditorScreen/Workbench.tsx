import { withParameter, type DashboardState } from '@belvedere/api';
import { readTiles } from '@belvedere/document';
import type { FieldFilter } from '@belvedere/query';
import { Button, LazyBoundary, lazyComponent, IconButton, Modal, Tabs } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { Code, History, Plus, SlidersHorizontal } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../../data/server.ts';
import { FilterBar } from '../../dashboard/filters/FilterBar.tsx';
import { useResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { useTableTheme } from '../../dashboard/chart/use-theme.ts';
import { AddPanel } from '../../editor/canvas/AddPanel.tsx';
import { Canvas } from '../../editor/canvas/Canvas.tsx';
import { duplicateTiles, putTiles, removeTiles, tilesAsText, tilesOf } from '../../editor/state/commands.ts';
import { run, useEditing, useEditor } from '../../editor/state/editing.ts';
import { ConflictDialog } from '../../editor/draft/ConflictDialog.tsx';
import { DiscardDialog } from '../../editor/draft/DiscardDialog.tsx';
import { DraftHeader } from '../../editor/draft/DraftHeader.tsx';
import { DraftNotices } from '../../editor/draft/DraftNotices.tsx';
import { SaveDraftDialog } from '../../editor/draft/SaveDraftDialog.tsx';
import { useEditorKeys } from '../../editor/draft/use-editor-keys.ts';
import { DashboardPanel } from '../../editor/inspector/dashboard/DashboardPanel.tsx';
import { TilePanel } from '../../editor/inspector/tile/TilePanel.tsx';
import { TilesPanel } from '../../editor/inspector/tile/TilesPanel.tsx';
import { words } from '../../editor/messages/words.ts';
import { useSettled } from '../../live/use-live.ts';
import { ConflictPicture, ConflictPictures } from '../../editor/previews/ConflictPictures.tsx';
import { namesOf } from '../../editor/text-view/dashboard-names.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { isTyping } from '../../keys/is-typing.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { RevisionPictures } from './RevisionPictures.tsx';

// Loads CodeMirror only for users who open the text.
const TextView = lazyComponent(() =>
  import('../../editor/text-view/TextView.tsx').then(module => module.TextView),
);
const HistoryDialog = lazyComponent(() =>
  import('../../editor/draft/HistoryDialog.tsx').then(module => module.HistoryDialog),
);

type Left = 'add' | 'text';
type OpenDialog = 'save' | 'discard' | 'history' | 'left' | 'right';

/**
 * The editor's panels around the page: things to add or the text, the inspector, and the state of the draft
 * above.
 */
export function Workbench() {
  const { editor, models, facts } = useEditing();
  const names = useMemo(() => namesOf(models, facts), [models, facts]);
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const selected = useEditor(editor, state => state.selected);
  const shown = useEditor(editor, state => state.shown);
  const conflicts = useEditor(editor, state => state.conflicts);
  const [left, setLeft] = useState<Left>(() =>
    // A text with errors can only be put right as text.
    editor.state.problems.length > 0 || localStorage.getItem(leftSetting) === 'text' ? 'text' : 'add',
  );
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const navigate = useNavigate();
  const { state, applied, dataTime } = useSettled(shown.live);
  useTableTheme(shown.dashboard.look);
  const seen = useResolvedDashboard(shown.dashboard, state);
  const isWide = useIsWide();
  const searchPosition = useRef<HTMLDivElement>(null);

  const showLeft = useCallback((panel: Left) => {
    setLeft(panel);
    localStorage.setItem(leftSetting, panel);
  }, []);
  const ask = useCallback(() => setOpenDialog('save'), []);
  const done = useCallback(
    () => void navigate({ to: '/d/$dashboard', params: { dashboard: editor.id }, search: {} }),
    [navigate, editor],
  );

  useEditorKeys(
    editor,
    ask,
    useMemo(() => {
      const remove = () =>
        editor.state.selected.length > 0 &&
        run(editor, words.steps.remove, removeTiles(editor.state.page, editor.state.selected));
      return [
        {
          press: 'a',
          label: words.panels.add,
          does: () => {
            showLeft('add');
            setTimeout(() => searchPosition.current?.querySelector('input')?.focus(), 0);
          },
        },
        {
          press: '$mod+a',
          label: words.keys.all,
          does: () => editor.select(...Object.keys(tilesOf(editor.state.document, editor.state.page))),
        },
        { press: 'Escape', label: words.keys.none, does: () => editor.select() },
        {
          press: '$mod+d',
          label: words.steps.duplicate,
          does: () => {
            const { document: now, page: at, selected: chosen } = editor.state;
            if (chosen.length > 0) run(editor, words.steps.duplicate, duplicateTiles(now, at, chosen));
          },
        },
        { press: 'Delete', label: words.steps.remove, does: remove },
        { press: 'Backspace', does: remove },
        { press: '$mod+c', label: words.keys.copy },
        { press: '$mod+v', label: words.keys.paste },
        { press: 'Arrows', label: words.keys.walk },
        { press: 'Enter', label: words.keys.lift },
        { press: 'Arrows', label: words.keys.move },
        { press: 'Shift+Arrows', label: words.keys.resize },
      ];
    }, [editor, showLeft]),
  );
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const { document: now, page: at, selected: chosen } = editor.state;
      if (
        isTyping(event) ||
        chosen.length === 0 ||
        !event.clipboardData ||
        (window.getSelection()?.toString() ?? '') !== ''
      )
        return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', tilesAsText(now, at, chosen));
      if (event.type === 'cut') run(editor, words.steps.cut, removeTiles(at, chosen));
    };
    const onPaste = (event: ClipboardEvent) => {
      const tiles = isTyping(event) ? undefined : readTiles(event.clipboardData?.getData('text/plain') ?? '');
      if (!tiles) return;
      event.preventDefault();
      run(editor, words.steps.paste, putTiles(editor.state.document, editor.state.page, tiles));
    };
    window.document.addEventListener('copy', onCopy);
    window.document.addEventListener('cut', onCopy);
    window.document.addEventListener('paste', onPaste);
    return () => {
      window.document.removeEventListener('copy', onCopy);
      window.document.removeEventListener('cut', onCopy);
      window.document.removeEventListener('paste', onPaste);
    };
  }, [editor]);

  const setState = (next: DashboardState) => editor.setState(next);
  const onFilter = (field: string, condition: FieldFilter | null | undefined) => {
    const { [field]: _, ...others } = state.filters;
    setState({ ...state, filters: condition === undefined ? others : { ...others, [field]: condition } });
  };
  const leftPanel = (
    <>
      <div className="border-b border-border px-3">
        <Tabs
          label={words.panels.show}
          titles={[words.panels.add, words.panels.text]}
          selected={left === 'add' ? 0 : 1}
          onSelect={index => showLeft(index === 0 ? 'add' : 'text')}
        />
      </div>
      {left === 'add' ? (
        <AddPanel />
      ) : (
        <LazyBoundary fallback={null}>
          <TextView
            editor={editor}
            label={words.text.label}
            names={names}
            found={shown.dashboard.problems}
            onSave={ask}
          />
        </LazyBoundary>
      )}
    </>
  );
  const rightPanel =
    selected.length > 1 ? (
      <TilesPanel ids={selected} />
    ) : selected[0] !== undefined ? (
      <TilePanel key={selected[0]} id={selected[0]} />
    ) : (
      <DashboardPanel />
    );

  return (
    <div className="-mx-5 -mb-10 flex max-[760px]:-mx-3">
      <HeaderTitle title={`${document.title} – ${words.editing}`}>
        <DraftHeader
          editor={editor}
          title={document.title}
          onSave={ask}
          onDiscard={() => setOpenDialog('discard')}
          onClose={done}
          entries={[
            {
              id: 'history',
              label: words.history.open,
              icon: <History size={15} aria-hidden />,
              onAction: () => setOpenDialog('history'),
            },
          ]}
        >
          <IconButton label={words.history.open} onPress={() => setOpenDialog('history')}>
            <History size={16} aria-hidden />
          </IconButton>
        </DraftHeader>
      </HeaderTitle>
      {isWide ? (
        <aside
          aria-label={left === 'add' ? words.panels.add : words.panels.text}
          ref={searchPosition}
          className={`sticky top-12 z-30 flex h-[calc(100dvh-var(--spacing)*12)] shrink-0 flex-col border-e border-border bg-surface ${left === 'text' ? 'w-[420px] max-w-[60vw] min-w-[280px] resize-x overflow-hidden' : 'w-[248px]'}`}
        >
          {leftPanel}
        </aside>
      ) : null}
      <div className="min-w-0 flex-1 px-4 pb-16">
        <DraftNotices editor={editor} />
        {document.pages.length > 1 ? (
          <div className="border-b border-border">
            <Tabs
              label={words.page.pages}
              titles={document.pages.map(one => one.title)}
              selected={page}
              onSelect={index => editor.goTo(index)}
            />
          </div>
        ) : null}
        <FilterBar
          live={shown.live}
          selecting="nothing"
          dashboard={seen}
          onParameter={(name, value) => setState(withParameter(state, name, value))}
          state={state}
          applied={applied}
          dataTime={dataTime}
          onFilter={onFilter}
          onReset={() => setState({ page: state.page, filters: {}, selections: {} })}
          onClearSelection={() => {}}
        />
        <div className="pt-2">
          <Canvas />
        </div>
      </div>
      {isWide ? (
        <aside
          aria-label={selected.length > 0 ? words.panels.tile : words.panels.page}
          className="sticky top-12 h-[calc(100dvh-var(--spacing)*12)] w-[288px] shrink-0 overflow-y-auto border-s border-border bg-surface"
        >
          {rightPanel}
        </aside>
      ) : (
        <div className="fixed inset-x-0 bottom-0 z-30 flex justify-around border-t border-border bg-surface p-1.5">
          <Button
            look="quiet"
            onPress={() => {
              showLeft('add');
              setOpenDialog('left');
            }}
          >
            <Plus size={16} aria-hidden />
            {words.panels.add}
          </Button>
          <Button
            look="quiet"
            onPress={() => {
              showLeft('text');
              setOpenDialog('left');
            }}
          >
            <Code size={16} aria-hidden />
            {words.panels.text}
          </Button>
          <Button look="quiet" onPress={() => setOpenDialog('right')}>
            <SlidersHorizontal size={16} aria-hidden />
            {selected.length > 0 ? words.panels.tile : words.panels.page}
          </Button>
        </div>
      )}
      {isWide ? null : (
        <Modal
          label={openDialog === 'left' ? words.panels.add : words.panels.tile}
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
        <SaveDraftDialog editor={editor} title={words.saveTitle} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog === 'history' ? (
        <LazyBoundary fallback={null}>
          <HistoryDialog
            editor={editor}
            id={editor.id}
            list={(cursor, signal) =>
              client.listRevisions({ params: { id: editor.id }, query: { cursor } }, { signal })
            }
            get={(number, signal) => client.getRevision({ params: { id: editor.id, number } }, { signal })}
            pictures={revision => (
              <RevisionPictures id={editor.id} revision={revision} shown={shown.dashboard} />
            )}
            onClose={() => setOpenDialog(undefined)}
          />
        </LazyBoundary>
      ) : null}
      {openDialog === 'discard' ? (
        <DiscardDialog editor={editor} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {conflicts ? (
        <ConflictPictures editor={editor} conflicts={conflicts}>
          <ConflictDialog
            editor={editor}
            conflicts={conflicts}
            picture={(conflict, side) => <ConflictPicture conflict={conflict} side={side} />}
          />
        </ConflictPictures>
      ) : null}
    </div>
  );
}

const leftSetting = 'belvedere-editor-left';
