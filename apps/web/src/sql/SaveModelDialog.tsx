import { editText, nameFrom } from '@belvedere/document';
import { TextField } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { client, queryClient } from '../data/server.ts';
import { words } from '../editor/messages/words.ts';
import type { SchemaColumn } from '../model-editor/model-editing.ts';
import { modelFromSql, tidy } from './model-from-sql.ts';
import { FormDialog } from '../dialogs/FormDialog.tsx';

interface SaveModelDialogProps {
  readonly sql: string;
  readonly source: string;
  readonly columns: readonly SchemaColumn[];
  /** The model that the SQL was opened from. */
  readonly model: string | undefined;
  readonly onClose: () => void;
}

/** Saves a statement as a new model, or as the SQL of the model it was opened from. */
export function SaveModelDialog({ sql, source, columns, model, onClose }: SaveModelDialogProps) {
  const [typed, setTyped] = useState(model ?? '');
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const name = nameFrom(typed);
  const save = async () => {
    try {
      if (name === model) {
        const { text, hash } = await client.getModelText({ params: { name } });
        await client.saveModelText({
          params: { name },
          body: {
            text: editText(text, [{ kind: 'set', path: ['sql'], value: tidy(sql) }]),
            message: words.sql.changed,
          },
          ifMatch: hash,
        });
      } else
        await client.saveModelText({
          params: { name },
          body: { text: modelFromSql(name, sql, source, columns) },
        });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      await navigate({ to: '/models/$model', params: { model: name } });
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <FormDialog
      title={words.sql.saveModel}
      submitLabel={words.save}
      isDisabled={typed.trim() === ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="text-text-2">{name === model ? words.sql.saveText : words.sql.saveNewText}</p>
      <TextField
        autoFocus
        label={words.explore.name}
        value={typed}
        onChange={value => {
          setTyped(value);
          setError(undefined);
        }}
        {...(error !== undefined && { error })}
      />
      {typed.trim() === '' ? null : <p className="font-mono text-12 text-text-2">models/{name}.yaml</p>}
    </FormDialog>
  );
}
