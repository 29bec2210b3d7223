import type { ModelSummary } from '@belvedere/api';
import { labelFrom, type AlertFile, type Edit } from '@belvedere/document';
import { Button, RemovableChip, Select, TextField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { describeCondition } from '@belvedere/chart';
import { useDashboard } from '../data/server.ts';
import { usePermissions } from '../data/use-permissions.ts';
import { locale } from '../messages/messages.ts';
import { NumberField } from '../editor/inspector/NumberField.tsx';
import { durationText } from './alert-texts.ts';
import { measuresOf } from './begun-alert.ts';
import { words } from './messages/words.ts';

interface AlertFormProps {
  readonly document: AlertFile;
  readonly models: readonly ModelSummary[];
  readonly onEdit: (edits: readonly Edit[], joins?: string) => void;
}

const kinds = ['above', 'below', 'outside', 'change', 'unusual', 'missing'] as const;
type Kind = (typeof kinds)[number];

export function kindOf(when: AlertFile['when']): Kind {
  return kinds.find(kind => when[kind] !== undefined) ?? 'above';
}

/** The settings of an alert. Each change is an edit of its text. */
export function AlertForm({ document, models, onEdit }: AlertFormProps) {
  const { title, when, watch, severity, notify = [] } = document;
  const set = (path: readonly (string | number)[], value: unknown, joins?: string) =>
    onEdit([value === undefined ? { kind: 'remove', path } : { kind: 'set', path, value }], joins);
  const kind = kindOf(when);
  return (
    <div className="flex flex-col gap-5">
      <TextField
        label={words.nameLabel}
        value={title}
        maxLength={200}
        onChange={value => value !== '' && set(['title'], value, 'title')}
      />
      <Part title={words.watches}>
        {'model' in watch ? (
          <WatchedModel watch={watch} models={models} onEdit={onEdit} />
        ) : (
          <WatchedTile watch={watch} />
        )}
      </Part>
      <Part title={words.condition}>
        <Labelled label={words.when}>
          <Select
            label={words.when}
            value={kind}
            options={kinds.map(value => ({ value, label: words.kinds[value] }))}
            onChange={value => set(['when'], begunCondition(value as Kind, when))}
          />
        </Labelled>
        <ConditionFields when={when} set={set} />
      </Part>
      <Part title={words.delivery}>
        <Recipients notify={notify} onEdit={onEdit} />
        <Labelled label={words.severity}>
          <Select
            label={words.severity}
            value={severity ?? 'warning'}
            options={(['info', 'warning', 'critical'] as const).map(value => ({
              value,
              label: words.severities[value],
            }))}
            onChange={value => set(['severity'], value)}
          />
        </Labelled>
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
      </Part>
      <Part title={words.advanced}>
        <DurationSelect
          label={words.check}
          value={document.check === 'new data' ? undefined : document.check}
          none={words.onNewData}
          options={['1 minute', '5 minutes', '15 minutes', '1 hour', '1 day']}
          sayEvery
          onChange={value => set(['check'], value)}
        />
        {(['noData', 'onError'] as const).map(key => (
          <Labelled key={key} label={words[key]}>
            <Select
              label={words[key]}
              value={document[key] ?? 'notify'}
              options={(['notify', 'ignore', 'fire'] as const).map(value => ({
                value,
                label: words.fallbacks[value],
              }))}
              onChange={value => set([key], value === 'notify' ? undefined : value)}
            />
          </Labelled>
        ))}
        <TextField
          label={words.description}
          value={document.description ?? ''}
          onChange={value => set(['description'], value === '' ? undefined : value, 'description')}
        />
        <RunbookField value={document.runbook} onChange={value => set(['runbook'], value, 'runbook')} />
      </Part>
    </div>
  );
}

/** Keeps the threshold when the kind of condition changes between those that have one. */
function begunCondition(kind: Kind, { above, below, outside }: AlertFile['when']): AlertFile['when'] {
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

function ConditionFields({
  when,
  set,
}: {
  readonly when: AlertFile['when'];
  readonly set: (path: readonly (string | number)[], value: unknown, joins?: string) => void;
}) {
  const { change, unusual } = when;
  const direction = (of: 'change' | 'unusual', value: 'up' | 'down' | 'either' | undefined) => (
    <Labelled label={words.direction}>
      <Select
        label={words.direction}
        value={value ?? 'either'}
        options={(['either', 'up', 'down'] as const).map(one => ({
          value: one,
          label: words.directions[one],
        }))}
        onChange={one => set(['when', of, 'direction'], one === 'either' ? undefined : one)}
      />
    </Labelled>
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
              onChange={value => value !== undefined && set(['when', 'outside', i], value, `outside${i}`)}
            />
          ))}
        </div>
      );
    case 'change':
      return (
        <>
          <ChangeField value={change!.by} onChange={value => set(['when', 'change', 'by'], value, 'by')} />
          <Labelled label={words.against}>
            <Select
              label={words.against}
              value={change!.against ?? 'previous period'}
              options={[
                { value: 'previous period', label: words.previous },
                { value: 'same weekday', label: words.weekday },
              ]}
              onChange={value => set(['when', 'change', 'against'], value)}
            />
          </Labelled>
          {direction('change', change!.direction)}
        </>
      );
    case 'unusual':
      return (
        <>
          <NumberField
            label={words.deviations}
            value={unusual!.deviations ?? 4}
            onChange={value =>
              value !== undefined &&
              value >= 1 &&
              value <= 20 &&
              set(['when', 'unusual', 'deviations'], value, 'deviations')
            }
          />
          <Labelled label={words.comparedWith}>
            <Select
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
          </Labelled>
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

function DurationSelect({
  label,
  value,
  none,
  options,
  sayEvery = false,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  /** The option without a duration, if there is one. */
  readonly none?: string;
  readonly options: readonly string[];
  readonly sayEvery?: boolean;
  readonly onChange: (value: string | undefined) => void;
}) {
  const say = (duration: string) =>
    sayEvery ? words.checkEvery(durationText(duration)) : durationText(duration);
  const all = value === undefined || options.includes(value) ? options : [...options, value];
  return (
    <Labelled label={label}>
      <Select
        label={label}
        value={value ?? ''}
        options={[
          ...(none === undefined ? [] : [{ value: '', label: none }]),
          ...all.map(duration => ({ value: duration, label: say(duration) })),
        ]}
        onChange={chosen => onChange(chosen === '' ? undefined : chosen)}
      />
    </Labelled>
  );
}

const everyUnits = ['hour', 'day', 'week', 'month'] as const;

function WatchedModel({
  watch,
  models,
  onEdit,
}: {
  readonly watch: Extract<AlertFile['watch'], { model: string }>;
  readonly models: readonly ModelSummary[];
  readonly onEdit: AlertFormProps['onEdit'];
}) {
  const model = models.find(({ name }) => name === watch.model);
  const set = (key: string, value: unknown) =>
    onEdit([
      value === undefined || value === ''
        ? { kind: 'remove', path: ['watch', key] }
        : { kind: 'set', path: ['watch', key], value },
    ]);
  const measures = [
    ...(model ? measuresOf(model) : []),
    ...(model && measuresOf(model).some(({ name }) => name === watch.measure)
      ? []
      : [{ name: watch.measure, label: watch.measure }]),
  ];
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
      <Labelled label={words.model}>
        <Select
          label={words.model}
          value={watch.model}
          options={models.map(({ name, label }) => ({ value: name, label }))}
          onChange={name => {
            const next = models.find(one => one.name === name);
            onEdit([
              {
                kind: 'set',
                path: ['watch'],
                value: {
                  model: name,
                  measure: (next && measuresOf(next)[0]?.name) ?? 'rows',
                  ...(next?.time !== undefined && { every: 'day' }),
                },
              },
            ]);
          }}
        />
      </Labelled>
      <Labelled label={words.measure}>
        <Select
          label={words.measure}
          value={watch.measure}
          options={measures.map(({ name, label }) => ({ value: name, label }))}
          onChange={name => set('measure', name)}
        />
      </Labelled>
      {model?.time === undefined ? null : (
        <Labelled label={words.every}>
          <Select
            label={words.every}
            value={watch.every ?? ''}
            options={[
              { value: '', label: words.everyNone },
              ...everyUnits.map(unit => ({ value: unit, label: words.everyUnits[unit] })),
            ]}
            onChange={unit => set('every', unit)}
          />
        </Labelled>
      )}
      <Labelled label={words.by}>
        <Select
          label={words.by}
          value={watch.by ?? ''}
          options={[
            { value: '', label: words.byNone },
            ...(model?.dimensions ?? [])
              .filter(({ type, isHidden }) => !isHidden && ['text', 'boolean', 'integer'].includes(type))
              .map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={name => set('by', name)}
        />
      </Labelled>
    </div>
  );
}

type Notify = NonNullable<AlertFile['notify']>;
type RecipientKind = 'user' | 'group' | 'channel';

/** Without accounts, messages are sent to channels only. */
const recipientKinds = (hasAccounts: boolean): readonly RecipientKind[] =>
  hasAccounts ? ['user', 'group', 'channel'] : ['channel'];

/** A tile by its titles, with the alert's filters. */
function WatchedTile({ watch }: { readonly watch: Extract<AlertFile['watch'], { dashboard: string }> }) {
  const { data } = useDashboard(watch.dashboard);
  const tile = data?.document?.pages
    .flatMap(page => Object.entries(page.tiles))
    .find(([id]) => id === watch.tile)?.[1];
  const filters = Object.entries(watch.filters ?? {}).map(
    ([field, condition]) => `${labelFrom(field)}: ${describeCondition(condition, locale)}`,
  );
  const name = `${data?.title ?? watch.dashboard} › ${tile?.title ?? labelFrom(watch.tile)}`;
  return (
    <p className="wrap-anywhere text-text-2">
      <Link
        to="/d/$dashboard"
        params={{ dashboard: watch.dashboard }}
        search={{ tile: watch.tile }}
        className="underline"
      >
        {name}
      </Link>
      {[...(watch.measure === undefined ? [] : [watch.measure]), ...filters].map(part => ` · ${part}`)}
    </p>
  );
}

function Recipients({
  notify,
  onEdit,
}: {
  readonly notify: Notify;
  readonly onEdit: AlertFormProps['onEdit'];
}) {
  const { team } = usePermissions();
  const [kind, setKind] = useState<RecipientKind>(team ? 'user' : 'channel');
  const [name, setName] = useState('');
  const clean = kind === 'user' ? name.trim().toLowerCase() : name.trim();
  const isValid = kind === 'user' ? /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(clean) : clean !== '';
  const add = () => {
    if (!isValid) return;
    onEdit([{ kind: 'set', path: ['notify'], value: [...notify, { [kind]: clean }] }]);
    setName('');
  };
  return (
    <div className="flex flex-col gap-2">
      <p className="text-12 text-text-2">{words.recipients}</p>
      {notify.length === 0 ? <p>{team ? words.ownerOnly : words.noChannels}</p> : null}
      <div className="flex flex-wrap gap-1.5">
        {notify.map((one, i) => {
          const said = one.user ?? one.group ?? one.channel ?? '';
          return (
            <RemovableChip
              key={`${said} ${String(i)}`}
              label={said}
              removeLabel={words.removeRecipient(said)}
              onRemove={() =>
                onEdit([
                  notify.length === 1
                    ? { kind: 'remove', path: ['notify'] }
                    : { kind: 'remove', path: ['notify', i] },
                ])
              }
            />
          );
        })}
      </div>
      <div className="flex items-end gap-2">
        <span className="w-28 shrink-0">
          <Select
            label={words.recipientKind}
            value={kind}
            options={recipientKinds(team).map(value => ({
              value,
              label: words.recipientKinds[value],
            }))}
            onChange={value => setKind(value as RecipientKind)}
          />
        </span>
        <span className="min-w-0 flex-1">
          <TextField
            label={team ? words.recipientName : words.channelName}
            value={name}
            onChange={setName}
            onEnter={add}
          />
        </span>
        <Button isDisabled={!isValid} onPress={add}>
          <Plus size={15} aria-hidden />
          {words.add}
        </Button>
      </div>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-13 font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-12 text-text-2">{label}</span>
      {children}
    </div>
  );
}
