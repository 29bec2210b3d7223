import type { AlertFile } from '@belvedere/document';
import { InlineSelect } from '@belvedere/ui';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { LanguageField } from '../../scheduled/LanguageField.tsx';
import type { OnEdit } from '../../scheduled/recipient-edits.ts';
import { RecipientsField } from '../../scheduled/RecipientsField.tsx';
import { words } from '../messages/words.ts';
import { DurationSelect } from './DurationSelect.tsx';
import { FormSection } from './FormSection.tsx';
import type { SetValue } from './set-value.ts';

interface DeliverySectionProps {
  readonly document: AlertFile;
  readonly set: SetValue;
  readonly onEdit: OnEdit;
}

/** To whom messages are sent, how often and in which language. */
export function DeliverySection({ document, set, onEdit }: DeliverySectionProps) {
  const { team } = usePermissions();
  return (
    <FormSection title={words.delivery}>
      <RecipientsField
        path={['notify']}
        recipients={document.notify}
        empty={team ? words.ownerOnly : words.noChannels}
        onEdit={onEdit}
      />
      <InlineSelect
        label={words.severity}
        value={document.severity ?? 'warning'}
        options={(['info', 'warning', 'critical'] as const).map(value => ({
          value,
          label: words.severities[value],
        }))}
        onChange={value => set(['severity'], value)}
      />
      <DurationSelect
        label={words.hold}
        value={document.hold}
        none={words.noHold}
        options={['5 minutes', '15 minutes', '1 hour', '6 hours', '1 day', '2 days']}
        onChange={value => set(['hold'], value)}
      />
      <DurationSelect
        label={words.repeat}
        value={document.repeat}
        none={words.noRepeat}
        options={['1 hour', '4 hours', '1 day', '7 days']}
        onChange={value => set(['repeat'], value)}
      />
      <LanguageField locale={document.locale} onChange={locale => set(['locale'], locale)} />
    </FormSection>
  );
}
