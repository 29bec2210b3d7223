import type { ModelSummary } from '@belvedere/api';
import type { AlertFile } from '@belvedere/document';
import { TextField } from '@belvedere/ui';
import type { OnEdit } from '../../scheduled/recipient-edits.ts';
import { words } from '../messages/words.ts';
import { AdvancedSection } from './AdvancedSection.tsx';
import { ConditionSection } from './ConditionSection.tsx';
import { DeliverySection } from './DeliverySection.tsx';
import type { SetValue } from './set-value.ts';
import { WatchSection } from './WatchSection.tsx';

interface AlertFormProps {
  readonly document: AlertFile;
  readonly models: readonly ModelSummary[];
  readonly onEdit: OnEdit;
}

/** The settings of an alert. Each change is an edit of its text. */
export function AlertForm({ document, models, onEdit }: AlertFormProps) {
  const set: SetValue = (path, value, joins) =>
    onEdit([value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }], joins);
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label={words.nameLabel}
        value={document.title}
        maxLength={200}
        onChange={value => value !== '' && set(['title'], value, 'title')}
      />
      <WatchSection watch={document.watch} models={models} onEdit={onEdit} />
      <ConditionSection when={document.when} set={set} />
      <DeliverySection document={document} set={set} onEdit={onEdit} />
      <AdvancedSection document={document} set={set} />
    </div>
  );
}
