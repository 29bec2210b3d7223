import type { Client } from '@belvedere/api';
import { Button, Modal, TextField } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { words } from '../../editor/messages/words.ts';
import { isLabelTaken, modelOf, withCalculatedField, type CalculatedField } from './calculated-field.ts';
import { ExpressionField } from '../expressions/ExpressionField.tsx';
import { FormatField } from '../panels/FormatField.tsx';
import { columnsOf, useSchema } from '../model-editing.ts';
import { PreviewResult } from '../Preview.tsx';

interface AddFieldDialogProps {
  readonly model: { readonly name: string; readonly label: string };
  /** @param name of the field that was saved */
  readonly onAdded: (name: string) => void;
  readonly onClose: () => void;
}

type ModelText = Awaited<ReturnType<Client['getModelText']>>;

/** Makes a calculated field and saves it in the model, for all its dashboards. */
export function AddFieldDialog({ model, onAdded, onClose }: AddFieldDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['workspace', 'model-text', model.name],
    queryFn: ({ signal }) => client.getModelText({ params: { name: model.name } }, { signal }),
    retry: false,
  });
  return (
    <Modal
      label={words.newField.title}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-lg"
    >
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{words.newField.title}</h2>
        <p className="text-13 text-text-2">{words.newField.savedIn(model.label)}</p>
        {error ? (
          <>
            <p role="alert" className="text-13 text-bad">
              {problemText(error)}
            </p>
            <div className="flex justify-end">
              <Button onPress={onClose}>{words.cancel}</Button>
            </div>
          </>
        ) : data ? (
          <FieldForm model={model.name} opened={data} onAdded={onAdded} onClose={onClose} />
        ) : (
          <div className="h-80" />
        )}
      </div>
    </Modal>
  );
}

interface FieldFormProps {
  readonly model: string;
  readonly opened: ModelText;
  readonly onAdded: (name: string) => void;
  readonly onClose: () => void;
}

function FieldForm({ model, opened, onAdded, onClose }: FieldFormProps) {
  const [field, setField] = useState<CalculatedField>({ label: '', expr: '', format: '' });
  const [saving, setSaving] = useState<{ readonly problem?: string }>();
  const document = useMemo(() => modelOf(opened.text), [opened.text]);
  const { data: schema } = useSchema(document.source ?? 'files');
  const tables = schema?.tables ?? [];
  const own = opened.checked.columns ?? tables.find(one => one.name === document.table)?.columns ?? [];
  const columns = columnsOf(document, own, tables);
  const isTaken = isLabelTaken(opened.text, field.label);
  const isComplete = field.label.trim() !== '' && field.expr.trim() !== '' && !isTaken;
  const change = (part: Partial<CalculatedField>) => {
    setField({ ...field, ...part });
    setSaving(undefined);
  };
  const preview = useFieldPreview(model, opened.text, field);
  const problem = preview.error
    ? problemText(preview.error)
    : preview.data?.kind === 'problems'
      ? preview.data.problems[0]!.message
      : undefined;
  const save = async () => {
    setSaving({});
    try {
      // The model may have changed since the dialog opened.
      const { text, hash } = await client.getModelText({ params: { name: model } });
      const added = withCalculatedField(text, field);
      await client.saveModelText({
        params: { name: model },
        body: { text: added.text, message: words.newField.message(field.label.trim()) },
        ifMatch: hash,
      });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      onAdded(added.name);
    } catch (error) {
      setSaving({ problem: problemText(error) });
    }
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={event => {
        event.preventDefault();
        if (isComplete && problem === undefined) void save();
      }}
    >
      <TextField
        autoFocus
        label={words.explore.name}
        value={field.label}
        maxLength={200}
        onChange={label => change({ label })}
        {...(isTaken && { error: words.newField.taken })}
      />
      <ExpressionField value={field.expr} columns={columns} onChange={expr => change({ expr })} canBeEmpty />
      <p className="text-11 text-text-3">{words.newField.hint}</p>
      <FormatField
        value={field.format === '' ? undefined : field.format}
        onChange={format => change({ format })}
      />
      <section
        aria-label={words.model.preview}
        aria-live="polite"
        className="min-h-32 max-h-72 overflow-y-auto rounded-control border border-border p-3 text-12"
      >
        {field.expr.trim() === '' ? (
          <p className="text-text-3">{words.newField.noExpression}</p>
        ) : problem !== undefined ? (
          <p className="text-bad">{problem}</p>
        ) : preview.data ? (
          <div
            data-testid="preview"
            aria-busy={preview.isFetching}
            className={`flex flex-col gap-2 ${preview.isFetching ? 'opacity-60' : ''}`}
          >
            <p className="font-medium">
              {words.model.one[preview.data.kind === 'measure' ? 'measures' : 'dimensions']}
            </p>
            <PreviewResult preview={preview.data} format={field.format === '' ? undefined : field.format} />
          </div>
        ) : (
          <p className="text-text-3">…</p>
        )}
      </section>
      {saving?.problem === undefined ? null : (
        <p role="alert" className="text-13 text-bad">
          {saving.problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button
          look="primary"
          type="submit"
          isDisabled={
            !isComplete || problem !== undefined || (saving !== undefined && saving.problem === undefined)
          }
        >
          {words.newField.add}
        </Button>
      </div>
    </form>
  );
}

/** So long after the last letter an expression is tried. */
const tryAfterMs = 250;

/** What a field comes to with the current data, or the error of its expression. */
function useFieldPreview(model: string, modelText: string, field: CalculatedField) {
  const [expr, setExpr] = useState('');
  const typed = useDeferredValue(field.expr.trim());
  useEffect(() => {
    const timer = setTimeout(() => setExpr(typed), tryAfterMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return useQuery({
    queryKey: ['workspace', 'model-preview', model, 'calculated', modelText, expr],
    queryFn: ({ signal }) => {
      const { section, name, text } = withCalculatedField(modelText, { label: 'preview', expr, format: '' });
      const part = section === 'measures' ? { measure: name } : { dimension: name };
      return client.previewModel({ params: { name: model }, body: { text, part } }, { signal });
    },
    enabled: expr !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
}
