import type { SourceDetail } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';
import { useModels } from '../../editor/encoding/field-profiles.ts';
import { t } from '../../messages/messages.ts';

/** The button that removes a source, after saying which models read it. */
export function RemoveSource({ source }: { readonly source: SourceDetail }) {
  const { name, label } = source;
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const read = new Set(source.tableList.flatMap(({ model }) => (model === undefined ? [] : [model])));
  const models = useModels(isOpen).filter(model => read.has(model.name) && !model.isGuessed);
  const navigate = useNavigate();
  const remove = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await client.removeSource({ params: { name } });
      await navigate({ to: '/data' });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    } catch (failed) {
      setProblem(problemText(failed));
      setIsBusy(false);
    }
  };
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t.sources.remove}</Button>
      {isOpen ? (
        <FormDialog
          title={t.sources.removeTitle(label)}
          submitLabel={t.sources.removeNow}
          isDisabled={isBusy}
          onSubmit={() => void remove()}
          onClose={() => setIsOpen(false)}
        >
          <p className="text-text-2">{t.sources.removeHint}</p>
          {models.length > 0 ? (
            <div className="rounded-control bg-warn-weak px-2.5 py-2 text-13 text-warn">
              <p>{t.sources.removeModels}</p>
              <ul className="max-h-40 list-disc overflow-y-auto ps-5">
                {models.map(model => (
                  <li key={model.name} className="wrap-anywhere">
                    {model.label}
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
          {problem === undefined ? null : (
            <p role="alert" className="text-13 text-bad">
              {problem}
            </p>
          )}
        </FormDialog>
      ) : null}
    </>
  );
}
