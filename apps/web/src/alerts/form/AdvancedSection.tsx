import type { AlertFile } from '@belvedere/document';
import { Checkbox, InlineSelect, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { words } from '../messages/words.ts';
import { DurationSelect } from './DurationSelect.tsx';
import { FormSection } from './FormSection.tsx';
import type { SetValue } from './set-value.ts';

interface AdvancedSectionProps {
  readonly document: AlertFile;
  readonly set: SetValue;
}

/** When an alert is checked, what missing data means, and texts that its messages contain. */
export function AdvancedSection({ document, set }: AdvancedSectionProps) {
  return (
    <FormSection title={words.advanced}>
      <DurationSelect
        label={words.check}
        value={document.check === 'new data' ? undefined : document.check}
        none={words.onNewData}
        options={['1 minute', '5 minutes', '15 minutes', '1 hour', '1 day']}
        sayEvery
        onChange={value => set(['check'], value)}
      />
      {(['noData', 'onError'] as const).map(key => (
        <InlineSelect
          key={key}
          label={words[key]}
          value={document[key] ?? 'notify'}
          options={(['notify', 'ignore', 'fire'] as const).map(value => ({
            value,
            label: words.fallbacks[value],
          }))}
          onChange={value => set([key], value === 'notify' ? undefined : value)}
        />
      ))}
      <TextField
        label={words.description}
        value={document.description ?? ''}
        onChange={value => set(['description'], value === '' ? undefined : value, 'description')}
      />
      {'dashboard' in document.watch ? (
        <Checkbox
          isSelected={document.marks ?? true}
          onChange={isOn => set(['marks'], isOn ? undefined : false)}
        >
          {words.marks}
        </Checkbox>
      ) : null}
      <RunbookField value={document.runbook} onChange={value => set(['runbook'], value, 'runbook')} />
    </FormSection>
  );
}

function RunbookField({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={words.runbookAddress}
      value={typed ?? value ?? ''}
      onChange={text => {
        const isWhole = text === '' || /^https:\/\/[^\s/]+\.[^\s]+$/.test(text);
        setTyped(isWhole ? undefined : text);
        if (isWhole) onChange(text === '' ? undefined : text);
      }}
    />
  );
}
