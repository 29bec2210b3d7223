import { Button, Modal } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { problemText } from '../../data/problem-text.ts';
import { client } from '../../data/server.ts';
import { isAllowed } from '../../data/session/permissions.ts';
import { offerRestore } from '../../downloads/offer-restore.ts';
import { useModels } from '../../editor/encoding/field-profiles.ts';
import { words } from '../../editor/messages/words.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { t } from '../../messages/messages.ts';
import type { ModelEditor } from '../model-editor.ts';

interface ModelRemovalProps {
  readonly editor: ModelEditor;
  readonly title: string;
}

/** Moves a model's file to the trash; says of a generated model that it has none. */
export function ModelRemoval({ editor, title }: ModelRemovalProps) {
  const { name } = editor;
  const isSaved = useEditor(editor, state => state.base.hash !== undefined);
  const model = useModels().find(one => one.name === name);
  const [isOpen, setIsOpen] = useState(false);
  if (!isSaved) return <p className="text-12 text-text-2">{words.model.generated}</p>;
  if (model && !isAllowed(model, 'manage')) return null;
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>
        <Trash2 size={14} aria-hidden />
        {words.page.removeDashboard}
      </Button>
      {isOpen ? <RemovalDialog name={name} title={title} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

interface RemovalDialogProps {
  readonly name: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** Asks whether to delete a model, and says which dashboards read it. */
function RemovalDialog({ name, title, onClose }: RemovalDialogProps) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const { data: uses, error } = useQuery({
    queryKey: ['model uses', name],
    queryFn: ({ signal }) => client.findModelUses({ params: { name } }, { signal }),
    gcTime: 0,
  });
  const remove = async () => {
    try {
      const { number } = await client.removeModel({ params: { name } });
      await offerRestore(title, number);
      await navigate({ to: '/data' });
    } catch (failed) {
      setProblem(problemText(failed));
    }
  };
  const shown = problem ?? (error ? problemText(error) : undefined);
  return (
    <Modal
      label={words.model.removeTitle}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold">{words.model.removeTitle}</h2>
        <p className="text-text-2">{words.model.removeText}</p>
        {uses && (uses.dashboards.length > 0 || uses.others > 0) ? (
          <div className="rounded-control bg-warn-weak px-2.5 py-2 text-13 text-warn">
            <p>{words.model.uses}</p>
            <ul className="max-h-40 list-disc overflow-y-auto ps-5">
              {uses.dashboards.map(({ id, title: used }) => (
                <li key={id} className="wrap-anywhere">
                  {used}
                </li>
              ))}
              {uses.others > 0 ? <li>{words.model.otherUses(uses.others)}</li> : null}
            </ul>
          </div>
        ) : null}
        {shown === undefined ? null : (
          <p role="alert" className="text-13 text-bad">
            {shown}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" isDisabled={!uses} onPress={() => void remove()}>
            {t.actions.trash}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
