import { IconButton, LazyBoundary, lazyComponent, Tabs } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTableTheme } from '../../dashboard/chart/use-theme.ts';
import { AddPanel } from '../../editor/canvas/AddPanel.tsx';
import { Canvas } from '../../editor/canvas/Canvas.tsx';
import { DraftHeader } from '../../editor/draft/DraftHeader.tsx';
import { DraftNotices } from '../../editor/draft/DraftNotices.tsx';
import { NoValidVersion } from '../../editor/draft/NoValidVersion.tsx';
import { DashboardPanel } from '../../editor/inspector/dashboard/DashboardPanel.tsx';
import { TilePanel } from '../../editor/inspector/tile/TilePanel.tsx';
import { TilesPanel } from '../../editor/inspector/tile/TilesPanel.tsx';
import { words } from '../../editor/messages/words.ts';
import { EditorPanels, isSide, type Side } from '../../editor/panels/EditorPanels.tsx';
import { useEditing, useEditor } from '../../editor/state/editing.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import { namesOf } from '../../editor/text-view/dashboard-names.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { EditorDialogs, type EditorDialog } from './EditorDialogs.tsx';
import { PreviewFilterBar } from './PreviewFilterBar.tsx';
import { useLeftTab } from './use-left-tab.ts';
import { useTileClipboard } from './use-tile-clipboard.ts';
import { useTileKeys } from './use-tile-keys.ts';

// Loads CodeMirror only for users who open the text.
const TextView = lazyComponent(() =>
  import('../../editor/text-view/TextView.tsx').then(module => module.TextView),
);

/** The dashboard editor: the state of the draft above, the page between a list or the text and the inspector. */
export function Workbench() {
  const { editor } = useEditing();
  const title = useEditor(editor, state => state.document.title);
  const selected = useEditor(editor, state => state.selected);
  const shown = useEditor(editor, state => state.shown);
  const isPlaceholder = useEditor(editor, state => state.isPlaceholder);
  const [tab, setTab] = useLeftTab(editor);
  const [overlay, setOverlay] = useState<EditorDialog | Side>();
  const leftPanel = useRef<HTMLElement>(null);
  useTableTheme(shown.dashboard.look);

  const leave = useLeave(editor.id);
  const openSave = useCallback(() => setOverlay('save'), []);
  const openHistory = () => setOverlay('history');
  const showAdd = useCallback(() => {
    setTab('list');
    // The panel renders first.
    setTimeout(() => leftPanel.current?.querySelector('input')?.focus(), 0);
  }, [setTab]);
  useTileKeys({ editor, onSave: openSave, onAdd: showAdd });
  useTileClipboard(editor);
  const isWide = useIsWide();
  const openText = () => {
    setTab('text');
    if (!isWide) setOverlay('left');
  };

  return (
    <div className="-mx-5 -mb-10 flex max-[760px]:-mx-3">
      <HeaderTitle title={`${title} – ${words.editing}`}>
        <DraftHeader
          editor={editor}
          title={title}
          onSave={openSave}
          onDiscard={() => setOverlay('discard')}
          onClose={leave}
          entries={[
            {
              id: 'history',
              label: words.history.open,
              icon: <History size={15} aria-hidden />,
              onAction: openHistory,
            },
          ]}
        >
          <IconButton label={words.history.open} onPress={openHistory}>
            <History size={16} aria-hidden />
          </IconButton>
        </DraftHeader>
      </HeaderTitle>
      <EditorPanels
        left={{
          tab,
          onTab: setTab,
          listLabel: words.panels.add,
          list: <AddPanel />,
          text: <DashboardText onSave={openSave} />,
        }}
        leftRef={leftPanel}
        right={{
          label: selected.length > 0 ? words.panels.tile : words.panels.page,
          className: 'w-[288px]',
          content: isPlaceholder ? null : <Inspector selected={selected} />,
        }}
        openSide={isSide(overlay) ? overlay : undefined}
        onOpenSide={setOverlay}
      >
        <div className="min-w-0 flex-1 px-4 pb-16">
          <DraftNotices editor={editor} />
          {isPlaceholder ? (
            <NoValidVersion onOpenText={openText} />
          ) : (
            <>
              <PageTabs />
              <PreviewFilterBar />
              <div className="pt-2">
                <Canvas />
              </div>
            </>
          )}
        </div>
      </EditorPanels>
      <EditorDialogs open={isSide(overlay) ? undefined : overlay} onClose={() => setOverlay(undefined)} />
    </div>
  );
}

/** Leaves the editor for the dashboard. */
function useLeave(id: string): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: '/d/$dashboard', params: { dashboard: id }, search: {} });
}

/** The dashboard as YAML, with completions from its models. */
function DashboardText({ onSave }: { readonly onSave: () => void }) {
  const { editor, models, profiles } = useEditing();
  const names = useMemo(() => namesOf(models, profiles), [models, profiles]);
  const problems = useEditor(editor, state => state.shown.dashboard.problems);
  return (
    <LazyBoundary fallback={null}>
      <TextView editor={editor} label={words.text.label} names={names} found={problems} onSave={onSave} />
    </LazyBoundary>
  );
}

/** The panel of the selected tile or tiles; without a selection, that of the dashboard. */
function Inspector({ selected }: { readonly selected: readonly string[] }) {
  const [id] = selected;
  if (id === undefined) return <DashboardPanel />;
  return selected.length > 1 ? <TilesPanel ids={selected} /> : <TilePanel key={id} id={id} />;
}

function PageTabs() {
  const { editor } = useEditing();
  const pages = useEditor(editor, state => state.document.pages);
  const page = useEditor(editor, state => state.page);
  if (pages.length < 2) return null;
  return (
    <div className="border-b border-border">
      <Tabs
        label={words.page.pages}
        titles={pages.map(({ title }) => title)}
        selected={page}
        onSelect={index => editor.goTo(index)}
      />
    </div>
  );
}
