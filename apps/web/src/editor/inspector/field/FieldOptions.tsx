import { chartMessagesIn } from '@belvedere/chart';
import { labelFrom, measureName, type FieldEncoding, type Tile } from '@belvedere/document';
import { isTemporal } from '@belvedere/model';
import { isMeasureField, takesAxis, unitsOn, type FieldFacts } from '@belvedere/query';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { useState } from 'react';
import { locale, t } from '../../../messages/messages.ts';
import { useCalendar } from '../../../dashboard/chart/calendar.ts';
import { useEditing } from '../../state/editing.ts';
import type { FieldProfiles } from '../../encoding/field-profiles.ts';
import { words } from '../../messages/words.ts';
import type { Item } from '../../encoding/encoding-shelves.ts';
import { changed, changedPart, type EncodingKey } from './changed-encoding.ts';
import { DomainFields } from './DomainFields.tsx';
import { NumberField } from '../NumberField.tsx';

interface FieldOptionsProps {
  readonly encoding: FieldEncoding;
  readonly field: FieldFacts | undefined;
  readonly tile: Tile;
  readonly channel: string;
  readonly profiles: FieldProfiles;
  readonly onChange: (item: Item, joins?: string) => void;
}

/** The options of a dimension on an axis: time unit or bins, order, number of values, and range. */
export function FieldOptions({ encoding, field, tile, channel, profiles, onChange }: FieldOptionsProps) {
  const isTime = field?.type !== undefined && isTemporal(field.type);
  const isNumber = field?.type === 'integer' || field?.type === 'decimal' || field?.type === 'number';
  const isText = field !== undefined && !isMeasureField(field) && !isTime && !isNumber;
  const set = (key: EncodingKey, value: unknown, joins?: string) =>
    onChange(changed(encoding, key, value), joins);
  const isPlain = tile.kind !== 'scatter';
  const runs = takesAxis(tile.kind, channel);
  return (
    <>
      {isTime && isPlain ? <TimeOptions encoding={encoding} tile={tile} set={set} /> : null}
      {isNumber && isPlain ? (
        <BinOptions bin={encoding.bin} onChange={(bin, joins) => set('bin', bin, joins)} />
      ) : null}
      {isText || (isNumber && encoding.bin === undefined && isPlain) ? (
        <>
          <SortOptions
            sort={encoding.sort}
            isNumber={isNumber}
            profiles={profiles}
            onChange={(sort, joins) => set('sort', sort, joins)}
          />
          <NumberField
            label={words.field.limit}
            value={encoding.limit}
            onChange={value =>
              (value === undefined || (Number.isInteger(value) && value >= 1 && value <= 500)) &&
              set('limit', value, 'limit')
            }
          />
        </>
      ) : null}
      {isNumber && (encoding.bin !== undefined || tile.kind === 'scatter') && runs ? (
        <DomainFields
          domain={encoding.scale?.domain}
          onChange={domain => onChange(changedPart(encoding, 'scale', 'domain', domain), 'domain')}
        />
      ) : null}
      {runs ? (
        <Checkbox
          isSelected={encoding.scale?.reverse ?? false}
          onChange={isReversed =>
            onChange(changedPart(encoding, 'scale', 'reverse', isReversed || undefined))
          }
        >
          {words.field.reverse}
        </Checkbox>
      ) : null}
    </>
  );
}

interface TimeOptionsProps {
  readonly encoding: FieldEncoding;
  readonly tile: Tile;
  readonly set: (key: EncodingKey, value: unknown) => void;
}

/** The time granularity, and how missing values are drawn. */
function TimeOptions({ encoding, tile, set }: TimeOptionsProps) {
  // Viewers may choose it: a parameter's name in place of a grain.
  const { editor } = useEditing();
  const calendar = useCalendar();
  const grains = Object.entries(editor.state.document.parameters ?? {}).flatMap(([name, parameter]) =>
    parameter.kind === 'timeUnit'
      ? [{ value: `:${name}`, label: `: ${parameter.label ?? labelFrom(name)}` }]
      : [],
  );
  return (
    <>
      <InlineSelect
        label={words.field.unit}
        value={encoding.timeUnit ?? ''}
        options={[
          ...(encoding.timeUnit ? [] : [{ value: '', label: '–' }]),
          ...unitsOn(calendar).map(unit => ({ value: unit as string, label: t.units[unit] })),
          ...grains,
        ]}
        onChange={value => set('timeUnit', value === '' ? undefined : value)}
      />
      {tile.kind === 'calendar' ? null : (
        <InlineSelect
          label={words.field.gaps}
          value={encoding.gaps ?? ''}
          options={(['', 'zero', 'carry', 'interpolate'] as const).map(value => ({
            value,
            label: words.field.fillings[value],
          }))}
          onChange={value => set('gaps', value === '' ? undefined : value)}
        />
      )}
    </>
  );
}

type Bin = FieldEncoding['bin'];

interface BinOptionsProps {
  readonly bin: Bin;
  readonly onChange: (bin: Bin, joins?: string) => void;
}

/** Whether numbers are binned, and how wide bins are. */
function BinOptions({ bin, onChange }: BinOptionsProps) {
  const step = typeof bin === 'object' ? bin.step : undefined;
  return (
    <>
      <InlineSelect
        label={words.field.bins}
        value={bin === undefined ? 'none' : step === undefined ? 'auto' : 'step'}
        options={[
          { value: 'none', label: words.field.noBins },
          { value: 'auto', label: words.field.autoBins },
          { value: 'step', label: words.field.step },
        ]}
        onChange={value =>
          onChange(value === 'none' ? undefined : value === 'auto' ? true : { step: step ?? 10 })
        }
      />
      {step === undefined ? null : (
        <NumberField
          label={words.field.step}
          value={step}
          onChange={value => value !== undefined && value > 0 && onChange({ step: value }, 'step')}
        />
      )}
    </>
  );
}

type Sort = FieldEncoding['sort'];

/** Sorted by its own order, by value, by another measure, or as listed. */
function SortOptions({
  sort,
  isNumber,
  profiles,
  onChange,
}: {
  readonly sort: Sort;
  readonly isNumber: boolean;
  readonly profiles: FieldProfiles;
  readonly onChange: (sort: Sort, joins?: string) => void;
}) {
  const [isListing, setIsListing] = useState(false);
  const [typed, setTyped] = useState<string>();
  const { noValue } = chartMessagesIn(locale);
  const isList = Array.isArray(sort);
  const byMeasure = typeof sort === 'object' && !isList ? sort : undefined;
  const measures = profiles.fields.filter(
    candidate => isMeasureField(candidate) && !candidate.name.startsWith(':'),
  );
  const way =
    isList || (isListing && sort === undefined)
      ? 'list'
      : byMeasure
        ? 'measure'
        : ((sort as string | undefined) ?? 'none');
  const turn = (next: string) => {
    setIsListing(next === 'list');
    if (next === 'measure') return onChange({ measure: measures[0]?.name ?? 'rows', order: 'descending' });
    onChange(next === 'none' || next === 'list' ? undefined : (next as 'value'));
  };
  return (
    <>
      <InlineSelect
        label={words.field.sort}
        value={way}
        options={(['none', '-value', 'value', 'ascending', 'descending', 'measure', 'list'] as const).map(
          value => ({ value, label: words.field.sorts[value] }),
        )}
        onChange={turn}
      />
      {byMeasure ? (
        <>
          <InlineSelect
            label={words.field.sortMeasure}
            value={measureName(byMeasure)}
            options={[
              ...measures.map(({ name, label }) => ({ value: name, label })),
              ...(measures.some(({ name }) => name === measureName(byMeasure))
                ? []
                : [{ value: measureName(byMeasure), label: measureName(byMeasure) }]),
            ]}
            onChange={measure => onChange({ measure, ...(byMeasure.order && { order: byMeasure.order }) })}
          />
          <InlineSelect
            label={words.field.sortOrder}
            value={byMeasure.order ?? 'descending'}
            options={(['descending', 'ascending'] as const).map(value => ({
              value,
              label: words.field.sorts[value === 'descending' ? '-value' : 'value'],
            }))}
            onChange={order => onChange({ ...byMeasure, order: order as 'ascending' })}
          />
        </>
      ) : null}
      {way === 'list' ? (
        <label className="flex flex-col gap-1 text-12 text-text-2">
          {words.field.listed}
          <textarea
            rows={4}
            value={typed ?? (isList ? sort.map(value => value ?? noValue).join('\n') : '')}
            onChange={event => {
              setTyped(event.target.value);
              const lines = event.target.value
                .split('\n')
                .map(line => line.trim())
                .filter(line => line !== '');
              const values = [...new Set(lines)].map(line =>
                line === noValue ? null : isNumber && Number.isFinite(Number(line)) ? Number(line) : line,
              );
              onChange(values.length > 0 ? values : undefined, 'list');
            }}
            className="w-full rounded-control border border-border bg-surface p-1.5 text-13 text-text focus:border-accent"
          />
        </label>
      ) : null}
    </>
  );
}
