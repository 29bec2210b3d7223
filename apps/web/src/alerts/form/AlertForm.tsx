import type { ModelSummary } from '@belvedere/api';
import type { AlertFile } from '@belvedere/document';
import { TextField } from '@belvedere/ui';
import type { OnEdit } from '../../scheduled/recipient-edits.ts';
import { words } from '../messages/words.ts';
import { AdvancedPart } from './AdvancedPart.tsx';
import { ConditionPart } from './ConditionPart.tsx';
import { DeliveryPart } from './DeliveryPart.tsx';
import type { SetValue } from './set-value.ts';
import { WatchPart } from './WatchPart.tsx';

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
      <WatchPart watch={document.watch} models={models} onEdit={onEdit} />
      <ConditionPart when={document.when} set={set} />
      <DeliveryPart document={document} set={set} onEdit={onEdit} />
      <AdvancedPart document={document} set={set} />
    </div>
  );
}
