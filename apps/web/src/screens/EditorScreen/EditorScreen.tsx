import { useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { client, connection } from '../../data/server.ts';
import { draftBackup } from '../../editor/draft-backup.ts';
import { Editor } from '../../editor/editor.ts';
import { EditingContext, useEditor, type Dragged, type Editing } from '../../editor/editing.ts';
import { useFacts, useModels } from '../../editor/facts.ts';
import { loadWords } from '../../editor/messages/words.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../FaultScreens.tsx';
import { Workbench } from './Workbench.tsx';

/** A dashboard while it is made: by mouse, by text, or both. */
export function EditorScreen() {
  const { dashboard: id } = useParams({ from: '/d/$dashboard/edit' });
  const [opened, setOpened] = useState<{ readonly editor?: Editor; readonly error?: Error }>({});
  useEffect(() => {
    let editor: Editor | undefined;
    let isGone = false;
    const listening = connection.listen(event => {
      if (event.kind === 'workspace' || (event.kind === 'draft' && event.document === id)) void editor?.catchUp();
    });
    void loadWords()
      .then(() => Editor.open(id, client, draftBackup))
      .then(
        found => {
          if (isGone) return found.close();
          editor = found;
          setOpened({ editor });
        },
        (error: Error) => setOpened({ error }),
      );
    const onHidden = () => document.visibilityState === 'hidden' && editor?.flush();
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      isGone = true;
      listening();
      editor?.close();
      setOpened({});
    };
  }, [id]);
  if (opened.error) return <ErrorScreen error={opened.error} />;
  if (!opened.editor) return <HeaderTitle title={id}><span /></HeaderTitle>;
  return <OpenEditor editor={opened.editor} />;
}

function OpenEditor({ editor }: { readonly editor: Editor }) {
  const models = useModels();
  const modelName = useEditor(editor, state => state.document.model);
  const facts = useFacts(models, modelName);
  const [dragged, setDragged] = useState<Dragged>();
  const editing = useMemo((): Editing => ({ editor, models, facts, dragged, setDragged }), [editor, models, facts, dragged]);
  return <EditingContext value={editing}><Workbench /></EditingContext>;
}
