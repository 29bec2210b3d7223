import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { client, useSources } from '../../data/server.ts';
import { PresenceProvider } from '../../editor/presence/PresenceProvider.tsx';
import { draftBackup } from '../../editor/state/draft-backup.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { useOpenedEditor } from '../../editor/state/use-opened-editor.ts';
import {
  columnsOf,
  ModelEditingContext,
  useSchema,
  type ModelEditing,
  type SchemaColumn,
  type SchemaTable,
} from '../../model-editor/model-editing.ts';
import { ModelEditor } from '../../model-editor/model-editor.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { Workbench } from './Workbench.tsx';

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
