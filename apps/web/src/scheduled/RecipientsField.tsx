import type { Path, Recipient } from '@belvedere/document';
import { RemovableChip } from '@belvedere/ui';
import { words } from './messages/words.ts';
import { addRecipient, keyOf, recipientText, removeRecipient, type OnEdit } from './recipient-edits.ts';
import { RecipientSearch } from './RecipientSearch.tsx';

interface RecipientsFieldProps {
  /** Where the list is in the text. */
  readonly path: Path;
  readonly recipients: readonly Recipient[] | undefined;
  /** Said while the list is empty. */
  readonly empty: string;
  /** Whether one recipient must stay. */
  readonly isRequired?: boolean;
  readonly onEdit: OnEdit;
}

/** The recipients of a message, each removable, with a search for more. */
export function RecipientsField({
  path,
  recipients,
  empty,
  isRequired = false,
  onEdit,
}: RecipientsFieldProps) {
  const all = recipients ?? [];
  return (
    <div role="group" aria-label={words.recipients} className="flex flex-col gap-2">
      <span aria-hidden className="text-12 text-text-2">
        {words.recipients}
      </span>
      {all.length === 0 ? (
        <p className="text-12 text-text-2">{empty}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {all.map((recipient, i) => (
            <li key={`${keyOf(recipient)} ${i}`} className="max-w-full">
              {isRequired && all.length === 1 ? (
                <span
                  className={
                    'inline-flex h-[30px] max-w-full items-center rounded-control bg-accent-weak px-2.5 ' +
                    'text-13 text-accent-text'
                  }
                >
                  <span className="truncate">{recipientText(recipient)}</span>
                </span>
              ) : (
                <RemovableChip
                  label={recipientText(recipient)}
                  removeLabel={words.removeRecipient(recipientText(recipient))}
                  onRemove={() => onEdit(removeRecipient(path, all, i))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <RecipientSearch
        added={all}
        onChoose={recipient => onEdit(addRecipient(path, recipients, recipient))}
      />
    </div>
  );
}
