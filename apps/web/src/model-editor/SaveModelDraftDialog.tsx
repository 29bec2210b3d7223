import { Checkbox } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../data/server.ts';
import { SaveDraftDialog } from '../editor/draft/SaveDraftDialog.tsx';
import { words } from '../editor/messages/words.ts';
import type { ModelEditor } from './model-editor.ts';

/** So many dashboards are named; of more it is said how many. */
const maxNamed = 5;

/** Saves a model; where it calls something by another name, the dashboards that name it go along. */
export function SaveModelDraftDialog({
  editor,
  onClose,
}: {
  readonly editor: ModelEditor;
  readonly onClose: () => void;
}) {
  const [follow, setFollow] = useState(true);
  const { text } = editor.state;
  const { data } = useQuery({
    queryKey: ['workspace', 'renames', editor.name, text],
    queryFn: ({ signal }) =>
      client.findModelRenames({ params: { name: editor.name }, body: { text } }, { signal }),
  });
  return (
    <SaveDraftDialog editor={editor} title={words.model.saveTitle} follow={follow} onClose={onClose}>
      {data && data.dashboards.length > 0 ? (
        <div className="flex flex-col gap-1.5 rounded-control bg-hover px-3 py-2 text-13">
          <ul className="font-mono text-12">
            {data.renames.map(({ section, from, to }) => (
              <li key={`${section} ${from}`}>
                {from} → {to}
              </li>
            ))}
          </ul>
          <Checkbox isSelected={follow} onChange={setFollow}>
            {words.model.follow(data.dashboards.length)}
          </Checkbox>
          <p className="text-12 text-text-2">
            {data.dashboards
              .slice(0, maxNamed)
              .map(({ title }) => title)
              .join(', ')}
            {data.dashboards.length > maxNamed
              ? ` ${words.model.moreValues(String(data.dashboards.length - maxNamed))}`
              : ''}
          </p>
        </div>
      ) : null}
    </SaveDraftDialog>
  );
}
