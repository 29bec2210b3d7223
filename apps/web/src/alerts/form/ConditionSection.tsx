import type { AlertFile } from '@belvedere/document';
import { InlineSelect, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { NumberField } from '../../editor/inspector/NumberField.tsx';
import { words } from '../messages/words.ts';
import { kindOf, kinds, type ConditionKind } from './condition-kind.ts';
import { DurationSelect } from './DurationSelect.tsx';
import { FormSection } from './FormSection.tsx';
import type { SetValue } from './set-value.ts';

interface ConditionSectionProps {
  readonly when: AlertFile['when'];
  readonly set: SetValue;
}

/** When an alert fires. */
export function ConditionSection({ when, set }: ConditionSectionProps) {
  return (
    <FormSection title={words.condition}>
      <InlineSelect
        label={words.when}
        value={kindOf(when)}
        options={kinds.map(value => ({ value, label: words.kinds[value] }))}
        onChange={value => set(['when'], begunCondition(value as ConditionKind, when))}
      />
      <ConditionFields when={when} set={set} />
    </FormSection>
  );
}

/** Keeps the threshold when the kind of condition changes between those that have one. */
function begunCondition(
  kind: ConditionKind,
  { above, below, outside }: AlertFile['when'],
): AlertFile['when'] {
  const threshold = above ?? below ?? outside?.[1] ?? 0;
  switch (kind) {
    case 'above':
      return { above: threshold };
    case 'below':
      return { below: threshold };
    case 'outside':
      return { outside: threshold < 0 ? [threshold, 0] : [0, threshold] };
    case 'change':
      return { change: { by: '20%' } };
    case 'unusual':
      return { unusual: { deviations: 4 } };
    case 'missing':
      return { missing: '1 day' };
  }
}

function ConditionFields({ when, set }: ConditionSectionProps) {
  const { change, unusual } = when;
  const direction = (of: 'change' | 'unusual', value: 'up' | 'down' | 'either' | undefined) => (
    <InlineSelect
      label={words.direction}
      value={value ?? 'either'}
      options={(['either', 'up', 'down'] as const).map(one => ({
        value: one,
        label: words.directions[one],
      }))}
      onChange={one => set(['when', of, 'direction'], one === 'either' ? undefined : one)}
    />
  );
  switch (kindOf(when)) {
    case 'above':
    case 'below': {
      const kind = kindOf(when) as 'above' | 'below';
      return (
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label={words.threshold}
            value={when[kind]}
            isRequired
            onChange={value => value !== undefined && set(['when', kind], value, 'threshold')}
          />
          <NumberField
            label={words.clear}
            value={when.clear}
            onChange={value => set(['when', 'clear'], value, 'clear')}
          />
          <p className="col-span-2 text-12 text-text-2">{words.clearHint}</p>
        </div>
      );
    }
    case 'outside':
      return (
        <div className="grid grid-cols-2 gap-3">
          {([0, 1] as const).map(i => (
            <NumberField
              key={i}
              label={i === 0 ? words.low : words.high}
              value={when.outside![i]}
              isRequired
              onChange={value => value !== undefined && set(['when', 'outside', i], value, `outside${i}`)}
            />
          ))}
        </div>
      );
    case 'change':
      return (
        <>
          <ChangeField value={change!.by} onChange={value => set(['when', 'change', 'by'], value, 'by')} />
          <InlineSelect
            label={words.against}
            value={change!.against ?? 'previous period'}
            options={[
              { value: 'previous period', label: words.previous },
              { value: 'same weekday', label: words.weekday },
            ]}
            onChange={value => set(['when', 'change', 'against'], value)}
          />
          {direction('change', change!.direction)}
        </>
      );
    case 'unusual':
      return (
        <>
          <NumberField
            label={words.deviations}
            value={unusual!.deviations ?? 4}
            isRequired
            onChange={value =>
              value !== undefined &&
              value >= 1 &&
              value <= 20 &&
              set(['when', 'unusual', 'deviations'], value, 'deviations')
            }
          />
          <InlineSelect
            label={words.comparedWith}
            value={unusual!.by ?? ''}
            options={[
              { value: '', label: words.automatic },
              ...(['weekday', 'hour', 'nothing'] as const).map(value => ({
                value,
                label: words.comparedBy[value],
              })),
            ]}
            onChange={value => set(['when', 'unusual', 'by'], value === '' ? undefined : value)}
          />
          {direction('unusual', unusual!.direction)}
        </>
      );
    case 'missing':
      return (
        <DurationSelect
          label={words.age}
          value={when.missing}
          options={['30 minutes', '1 hour', '6 hours', '1 day', '2 days', '7 days']}
          onChange={value => set(['when', 'missing'], value)}
        />
      );
  }
}

function ChangeField({
  value,
  onChange,
}: {
  readonly value: number | string;
  readonly onChange: (value: number | string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={words.changeBy}
      value={typed ?? String(value)}
      onChange={text => {
        const clean = text.trim().replace(',', '.');
        const number = Number(clean);
        const isShare = /^\d+(\.\d+)?%$/.test(clean);
        const isNumber = clean !== '' && Number.isFinite(number) && number > 0;
        setTyped(isShare || isNumber ? undefined : text);
        if (isShare) onChange(clean);
        else if (isNumber) onChange(number);
      }}
    />
  );
}
