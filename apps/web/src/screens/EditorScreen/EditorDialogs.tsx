import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { client } from '../../data/server.ts';
import { ConflictDialog } from '../../editor/draft/ConflictDialog.tsx';
import { DiscardDialog } from '../../editor/draft/DiscardDialog.tsx';
import { SaveDraftDialog } from '../../editor/draft/SaveDraftDialog.tsx';
import { words } from '../../editor/messages/words.ts';
import { ConflictPicture, ConflictPictures } from '../../editor/previews/ConflictPictures.tsx';
import { useEditing, useEditor } from '../../editor/state/editing.ts';
import { RevisionPictures } from './RevisionPictures.tsx';

const HistoryDialog = lazyComponent(() =>
  import('../../editor/draft/HistoryDialog.tsx').then(module => module.HistoryDialog),
);

export type EditorDialog = 'save' | 'discard' | 'history';

interface EditorDialogsProps {
  readonly open: EditorDialog | undefined;
  readonly onClose: () => void;
}

/** The dialogs of a draft: saving, discarding, its history, and conflicts with changes made elsewhere. */
export function EditorDialogs({ open, onClose }: EditorDialogsProps) {
  const { editor } = useEditing();
  return (
    <>
      {open === 'save' ? <SaveDraftDialog editor={editor} title={words.saveTitle} onClose={onClose} /> : null}
      {open === 'history' ? <DashboardHistory onClose={onClose} /> : null}
      {open === 'discard' ? <DiscardDialog editor={editor} onClose={onClose} /> : null}
      <Conflicts />
    </>
  );
}

function DashboardHistory({ onClose }: { readonly onClose: () => void }) {
  const { editor } = useEditing();
  const shown = useEditor(editor, state => state.shown);
  const { id } = editor;
  return (
    <LazyBoundary fallback={null}>
      <HistoryDialog
        editor={editor}
        id={id}
        list={(cursor, signal) => client.listRevisions({ params: { id }, query: { cursor } }, { signal })}
        get={(number, signal) => client.getRevision({ params: { id, number } }, { signal })}
        pictures={revision => <RevisionPictures id={id} revision={revision} shown={shown.dashboard} />}
        onClose={onClose}
      />
    </LazyBoundary>
  );
}

function Conflicts() {
  const { editor } = useEditing();
  const conflicts = useEditor(editor, state => state.conflicts);
  if (!conflicts) return null;
  return (
    <ConflictPictures editor={editor} conflicts={conflicts}>
      <ConflictDialog
        editor={editor}
        conflicts={conflicts}
        picture={(conflict, side) => <ConflictPicture conflict={conflict} side={side} />}
      />
    </ConflictPictures>
  );
}
