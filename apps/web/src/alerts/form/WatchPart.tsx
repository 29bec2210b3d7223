import type { ModelSummary } from '@belvedere/api';
import { describeCondition } from '@belvedere/chart';
import { labelFrom, type AlertFile } from '@belvedere/document';
import { InlineSelect } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useDashboard } from '../../data/server.ts';
import { locale } from '../../messages/messages.ts';
import { measuresOf } from '../begun-alert.ts';
import { words } from '../messages/words.ts';
import { Part } from './Part.tsx';
import type { OnEdit } from './set-value.ts';

interface WatchPartProps {
  readonly watch: AlertFile['watch'];
  readonly models: readonly ModelSummary[];
  readonly onEdit: OnEdit;
}

/** What an alert watches: a tile, or a measure of a model. */
export function WatchPart({ watch, models, onEdit }: WatchPartProps) {
  return (
    <Part title={words.watches}>
      {'model' in watch ? (
        <WatchedModel watch={watch} models={models} onEdit={onEdit} />
      ) : (
        <WatchedTile watch={watch} />
      )}
    </Part>
  );
}

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

const everyUnits = ['hour', 'day', 'week', 'month'] as const;

function WatchedModel({
  watch,
  models,
  onEdit,
}: {
  readonly watch: Extract<AlertFile['watch'], { model: string }>;
  readonly models: readonly ModelSummary[];
  readonly onEdit: OnEdit;
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
      <InlineSelect
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
      <InlineSelect
        label={words.measure}
        value={watch.measure}
        options={measures.map(({ name, label }) => ({ value: name, label }))}
        onChange={name => set('measure', name)}
      />
      {model?.time === undefined ? null : (
        <InlineSelect
          label={words.every}
          value={watch.every ?? ''}
          options={[
            { value: '', label: words.everyNone },
            ...everyUnits.map(unit => ({ value: unit, label: words.everyUnits[unit] })),
          ]}
          onChange={unit => set('every', unit)}
        />
      )}
      <InlineSelect
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
    </div>
  );
}
