import type { ModelSummary } from '@belvedere/api';
import { labelFrom, type AlertFile } from '@belvedere/document';
import { InlineSelect } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useDashboard } from '../../data/server.ts';
import { FiltersField } from '../../scheduled/FiltersField.tsx';
import { words as sharedWords } from '../../scheduled/messages/words.ts';
import type { OnEdit } from '../../scheduled/recipient-edits.ts';
import { measuresOf } from '../new-alert.ts';
import { words } from '../messages/words.ts';
import { shownTitle, tileMeasures, underFilters } from '../tile-measures.ts';
import { useExploredModel } from '../use-explored-model.ts';
import { FormSection } from './FormSection.tsx';

interface WatchSectionProps {
  readonly watch: AlertFile['watch'];
  readonly models: readonly ModelSummary[];
  readonly onEdit: OnEdit;
}

interface WatchedTileProps {
  readonly watch: Extract<AlertFile['watch'], { dashboard: string }>;
  readonly onEdit: OnEdit;
}

/** What an alert watches: a tile, or a measure of a model. */
export function WatchSection({ watch, models, onEdit }: WatchSectionProps) {
  return (
    <FormSection title={words.watches}>
      {'model' in watch ? (
        <WatchedModel watch={watch} models={models} onEdit={onEdit} />
      ) : (
        <WatchedTile watch={watch} onEdit={onEdit} />
      )}
    </FormSection>
  );
}

/** A tile by its titles, the measure of it that is watched, and the alert’s filters. */
function WatchedTile({ watch, onEdit }: WatchedTileProps) {
  const { data } = useDashboard(watch.dashboard);
  const dashboard = useMemo(() => data && underFilters(data, watch.filters), [data, watch.filters]);
  const shown = dashboard ? tileMeasures(dashboard, watch.tile) : [];
  const { measure } = watch;
  const measures =
    measure === undefined || shown.some(({ name }) => name === measure)
      ? shown
      : [...shown, { name: measure, label: measure }];
  return (
    <>
      <p className="wrap-anywhere text-text-2">
        <Link
          to="/d/$dashboard"
          params={{ dashboard: watch.dashboard }}
          search={{ tile: watch.tile }}
          className="underline"
        >
          {`${data?.title ?? watch.dashboard} › ${dashboard ? shownTitle(dashboard, watch.tile) : labelFrom(watch.tile)}`}
        </Link>
      </p>
      {measures.length > 1 ? (
        <InlineSelect
          label={words.measure}
          value={measure ?? ''}
          options={[
            ...(measure === undefined ? [{ value: '', label: words.chooseMeasure }] : []),
            ...measures.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={name => name !== '' && onEdit([{ kind: 'set', path: ['watch', 'measure'], value: name }])}
        />
      ) : null}
      {dashboard?.document ? (
        <FiltersField
          path={['watch', 'filters']}
          filters={watch.filters}
          dashboard={dashboard}
          hint={sharedWords.filtersHint}
          onEdit={onEdit}
        />
      ) : null}
    </>
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
  const { data: explored } = useExploredModel(model);
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
      {explored ? (
        <div className="col-span-full">
          <FiltersField
            path={['watch', 'filters']}
            filters={watch.filters}
            dashboard={explored}
            onEdit={onEdit}
          />
        </div>
      ) : null}
    </div>
  );
}
