import { labelFrom } from '@belvedere/document';
import { IconButton, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { History, Share2 } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { SharedObject } from '../../accounts/account-data.ts';
import { isAllowed } from '../../data/session/permissions.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { DraftHeader } from '../../editor/draft/DraftHeader.tsx';
import { DraftNotices } from '../../editor/draft/DraftNotices.tsx';
import { NoValidVersion } from '../../editor/draft/NoValidVersion.tsx';
import { useEditorKeys } from '../../editor/draft/use-editor-keys.ts';
import { useModels } from '../../editor/encoding/field-profiles.ts';
import { words } from '../../editor/messages/words.ts';
import { EditorPanels, isSide, type LeftTab, type Side } from '../../editor/panels/EditorPanels.tsx';
import { useEditor } from '../../editor/state/editing.ts';
import { useIsWide } from '../../editor/state/use-is-wide.ts';
import type { Key } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';
import { ColumnPanel } from '../../model-editor/panels/ColumnPanel.tsx';
import { EntryPanel } from '../../model-editor/panels/EntryPanel.tsx';
import type { ModelEditing } from '../../model-editor/model-editing.ts';
import { namesInModel } from '../../model-editor/model-names.ts';
import { ModelLists } from '../../model-editor/ModelLists.tsx';
import { ModelPanel } from '../../model-editor/panels/ModelPanel.tsx';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { exploreAddress, ModelDialogs, type EditorDialog } from './ModelDialogs.tsx';

// Loads CodeMirror only for users who open the text.
const TextView = lazyComponent(() =>
  import('../../editor/text-view/TextView.tsx').then(module => module.TextView),
);

/** The model editor adds none to the shortcuts of every editor. */
const noKeys: readonly Key[] = [];

/** The model editor: the state of the draft above, the model between its columns or the text and the inspector. */
export function Workbench({ modelEditing }: { readonly modelEditing: ModelEditing }) {
  const { editor } = modelEditing;
  const title = useEditor(editor, state => state.document.label) ?? labelFrom(editor.name);
  const selected = useEditor(editor, state => state.selected[0]);
  const isPlaceholder = useEditor(editor, state => state.isPlaceholder);
  const [tab, setTab] = useState<LeftTab>(() => (editor.state.problems.length > 0 ? 'text' : 'list'));
  const [overlay, setOverlay] = useState<EditorDialog | Side>();
  const shared = useSharedModel(editor.name, title);
  const leave = useLeave();
  const openSave = useCallback(() => setOverlay('save'), []);
  const openHistory = () => setOverlay('history');
  useEditorKeys(editor, openSave, noKeys);
  const isWide = useIsWide();
  const openText = () => {
    setTab('text');
    if (!isWide) setOverlay('left');
  };
  const share = {
    id: 'share',
    label: t.sharing.share,
    icon: <Share2 size={15} aria-hidden />,
    onAction: () => setOverlay('share'),
  };
  const history = {
    id: 'history',
    label: words.history.open,
    icon: <History size={15} aria-hidden />,
    onAction: openHistory,
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
          entries={shared ? [share, history] : [history]}
        >
          {shared ? <ShareButton shared={shared} address={exploreAddress(editor.name)} /> : null}
          <IconButton label={words.history.open} onPress={openHistory}>
            <History size={16} aria-hidden />
          </IconButton>
        </DraftHeader>
      </HeaderTitle>
      <EditorPanels
        left={{
          tab,
          onTab: setTab,
          listLabel: words.model.columns,
          list: <ColumnPanel />,
          text: <ModelText modelEditing={modelEditing} onSave={openSave} />,
        }}
        right={{
          label: selected === undefined ? words.model.title : words.model.entry,
          className: 'w-[304px]',
          content: isPlaceholder ? null : selected === undefined ? (
            <ModelPanel />
          ) : (
            <EntryPanel key={selected} id={selected} />
          ),
        }}
        openSide={isSide(overlay) ? overlay : undefined}
        onOpenSide={setOverlay}
      >
        {/* A click beside the lists selects the model itself. */}
        <div
          className="min-w-0 flex-1 px-4 pb-16"
          onPointerDown={event => event.target === event.currentTarget && editor.select()}
        >
          <DraftNotices editor={editor} />
          {isPlaceholder ? <NoValidVersion onOpenText={openText} /> : <ModelLists />}
        </div>
      </EditorPanels>
      <ModelDialogs
        editor={editor}
        shared={shared}
        open={isSide(overlay) ? undefined : overlay}
        onClose={() => setOverlay(undefined)}
      />
    </div>
  );
}

/** The model as an object to share, if the user may share it. */
function useSharedModel(name: string, title: string): SharedObject | undefined {
  const { team } = usePermissions();
  const model = useModels(team).find(one => one.name === name);
  return team && model && isAllowed(model, 'manage') ? { kind: 'model', id: name, label: title } : undefined;
}

/** Goes back to the previous page; without one, to the data. */
function useLeave(): () => void {
  const navigate = useNavigate();
  const { history } = useRouter();
  return () => (history.canGoBack() ? history.back() : void navigate({ to: '/data' }));
}

interface ModelTextProps {
  readonly modelEditing: ModelEditing;
  readonly onSave: () => void;
}

/** The model as YAML, with completions from its tables. */
function ModelText({ modelEditing, onSave }: ModelTextProps) {
  const { editor } = modelEditing;
  const names = useMemo(() => namesInModel(modelEditing), [modelEditing]);
  const { problems } = useEditor(editor, state => state.checked);
  return (
    <LazyBoundary fallback={null}>
      <TextView editor={editor} label={words.model.text} names={names} found={problems} onSave={onSave} />
    </LazyBoundary>
  );
}
