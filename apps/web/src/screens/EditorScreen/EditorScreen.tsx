import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client } from '../../data/server.ts';
import { draftBackup } from '../../editor/state/draft-backup.ts';
import { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { EditingContext, useEditor, type Dragged, type Editing } from '../../editor/state/editing.ts';
import { useFieldProfiles, useModels, withParameters } from '../../editor/encoding/field-profiles.ts';
import { PresenceProvider } from '../../editor/presence/PresenceProvider.tsx';
import { useOpenedEditor } from '../../editor/state/use-opened-editor.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { EditedCalendar } from '../../editor/canvas/EditedCalendar.tsx';
import { Workbench } from './Workbench.tsx';

const open = (id: string) => DashboardEditor.open(id, client, draftBackup);

/** A dashboard while it is made: by mouse, by text, or both. */
export function EditorScreen() {
  const { dashboard: id } = useParams({ from: '/d/$dashboard/edit' });
  const opened = useOpenedEditor(id, open);
  if (opened.error) return <ErrorScreen error={opened.error} />;
  if (!opened.editor)
    return (
      <HeaderTitle title={id}>
        <span />
      </HeaderTitle>
    );
  return <OpenEditor editor={opened.editor} />;
}

function OpenEditor({ editor }: { readonly editor: DashboardEditor }) {
  const models = useModels();
  const modelName = useEditor(editor, state => state.document.model);
  const ofModel = useFieldProfiles(models, modelName);
  const parameters = useEditor(editor, state => state.document.parameters);
  const profiles = useMemo(() => ofModel && withParameters(ofModel, parameters), [ofModel, parameters]);
  const [dragged, setDragged] = useState<Dragged>();
  const editing = useMemo(
    (): Editing => ({ editor, models, profiles, dragged, setDragged }),
    [editor, models, profiles, dragged],
  );
  return (
    <EditingContext value={editing}>
      <EditedCalendar editor={editor}>
        <PresenceProvider editor={editor}>
          <Workbench />
        </PresenceProvider>
      </EditedCalendar>
    </EditingContext>
  );
}
