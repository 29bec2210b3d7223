import { readDocument, type ModelFile } from '@belvedere/document';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client } from '../../data/server.ts';
import { loadWords } from '../../editor/messages/words.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { readText } from '../../sql/sql-history.ts';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { SqlWorkbench } from './SqlWorkbench.tsx';

/** Runs SQL on a source, for model authors. */
export function SqlScreen() {
  const { source } = useParams({ from: '/sql/$source' });
  const { model } = useSearch({ from: '/sql/$source' });
  const key = `${source} ${model ?? ''}`;
  const opened = useInitialText(key, source, model);
  if (opened?.error) return <ErrorScreen error={opened.error} />;
  if (opened?.text === undefined)
    return (
      <HeaderTitle title="SQL">
        <span />
      </HeaderTitle>
    );
  return (
    <SqlWorkbench
      key={key}
      source={source}
      model={opened.isModelSql ? model : undefined}
      initialText={opened.text}
    />
  );
}

interface InitialText {
  readonly key: string;
  readonly text?: string;
  /** Whether it is the SQL of the model, which can be saved there. */
  readonly isModelSql?: boolean;
  readonly error?: unknown;
}

/**
 * The SQL of a model, or a query of its table. Without a model, the SQL that was last typed for the source.
 * Undefined while it loads.
 */
function useInitialText(key: string, source: string, model: string | undefined): InitialText | undefined {
  const [opened, setOpened] = useState<InitialText>();
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      await loadWords();
      const file =
        model === undefined ? undefined : readModel(await client.getModelText({ params: { name: model } }));
      if (!isGone)
        setOpened({
          key,
          text: file ? (file.sql ?? `select * from ${file.table ?? ''}`) : readText(source),
          isModelSql: file?.sql !== undefined,
        });
    };
    load().catch((error: unknown) => {
      if (!isGone) setOpened({ key, error });
    });
    return () => {
      isGone = true;
    };
  }, [key, source, model]);
  return opened?.key === key ? opened : undefined;
}

/** The saved model; empty if it cannot be parsed. */
function readModel({ text, file }: { readonly text: string; readonly file: string }): Partial<ModelFile> {
  const read = readDocument('model', text, file);
  return read.ok ? read.value : {};
}
