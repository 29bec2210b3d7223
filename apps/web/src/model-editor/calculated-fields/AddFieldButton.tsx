import type { ModelSummary } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isAllowed } from '../../data/session/permissions.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { words } from '../../editor/messages/words.ts';

// Loads the expression language only for users who write one.
const AddFieldDialog = lazyComponent(() =>
  import('./AddFieldDialog.tsx').then(module => module.AddFieldDialog),
);

interface AddFieldButtonProps {
  readonly model: ModelSummary;
  /** Before the new field is brought into view. */
  readonly onAdded: () => void;
}

/** Opens the dialog for a calculated field, for those who may edit the model. The new field takes the focus. */
export function AddFieldButton({ model, onAdded }: AddFieldButtonProps) {
  const permissions = usePermissions();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<string>();
  const isListed = [...model.measures, ...model.dimensions].some(field => field.name === added);
  useEffect(() => {
    if (!isListed) return undefined;
    // After the dialog, which gives the focus back to its button.
    const timer = setTimeout(() => {
      const found = button.current
        ?.closest('aside, [role=dialog]')
        ?.querySelector<HTMLElement>(`[data-field="${CSS.escape(added!)}"]`);
      found?.scrollIntoView({ block: 'center' });
      found?.focus();
      setAdded(undefined);
    }, 100);
    return () => clearTimeout(timer);
  }, [isListed, added]);
  if (!permissions.data || !isAllowed(model, 'edit')) return null;
  return (
    <div ref={button}>
      <Button look="quiet" className="text-12" onPress={() => setIsOpen(true)}>
        <Plus size={14} aria-hidden />
        {words.newField.open}
      </Button>
      {isOpen ? (
        <LazyBoundary fallback={null}>
          <AddFieldDialog
            model={model}
            onAdded={name => {
              setIsOpen(false);
              setAdded(name);
              onAdded();
            }}
            onClose={() => setIsOpen(false)}
          />
        </LazyBoundary>
      ) : null}
    </div>
  );
}
