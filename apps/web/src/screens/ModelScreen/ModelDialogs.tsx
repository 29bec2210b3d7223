import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import type { SharedObject } from '../../accounts/account-data.ts';
import { client } from '../../data/server.ts';
import { ConflictDialog } from '../../editor/draft/ConflictDialog.tsx';
import { DiscardDialog } from '../../editor/draft/DiscardDialog.tsx';
import { useEditor } from '../../editor/state/editing.ts';
import type { ModelEditor } from '../../model-editor/model-editor.ts';
import { SaveModelDraftDialog } from '../../model-editor/SaveModelDraftDialog.tsx';
import { ShareDialog } from '../../shell/ShareButton.tsx';

const HistoryDialog = lazyComponent(() =>
  import('../../editor/draft/HistoryDialog.tsx').then(module => module.HistoryDialog),
);

export type EditorDialog = 'save' | 'share' | 'discard' | 'history';

/** The page of a model to share: users who do not edit it explore it. */
export const exploreAddress = (model: string): string => `/explore/${encodeURIComponent(model)}`;

interface ModelDialogsProps {
  readonly editor: ModelEditor;
  readonly shared: SharedObject | undefined;
  readonly open: EditorDialog | undefined;
  readonly onClose: () => void;
}

/** The dialogs of a model's draft: saving, sharing, discarding, its history, and conflicts. */
export function ModelDialogs({ editor, shared, open, onClose }: ModelDialogsProps) {
  const conflicts = useEditor(editor, state => state.conflicts);
  const { id, name } = editor;
  return (
    <>
      {open === 'save' ? <SaveModelDraftDialog editor={editor} onClose={onClose} /> : null}
      {open === 'share' && shared ? (
        <LazyBoundary fallback={null}>
          <ShareDialog shared={shared} address={exploreAddress(name)} onClose={onClose} />
        </LazyBoundary>
      ) : null}
      {open === 'history' ? (
        <LazyBoundary fallback={null}>
          <HistoryDialog
            editor={editor}
            id={id}
            list={(cursor, signal) =>
              client.listModelRevisions({ params: { name }, query: { cursor } }, { signal })
            }
            get={(number, signal) => client.getModelRevision({ params: { name, number } }, { signal })}
            onClose={onClose}
          />
        </LazyBoundary>
      ) : null}
      {open === 'discard' ? <DiscardDialog editor={editor} onClose={onClose} /> : null}
      {conflicts ? <ConflictDialog editor={editor} conflicts={conflicts} /> : null}
    </>
  );
}
