import { isMeasure, labelFrom, type FieldEncoding, type MeasureEncoding, type Tile } from '@belvedere/document';
import { isTemporal } from '@belvedere/model';
import { isMeasureField, unitsOn, type FieldFacts } from '@belvedere/query';
import { Checkbox, Choice, Popover, TextField } from '@belvedere/ui';
import { X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../messages/messages.ts';
import { useCalendar } from '../../dashboard/calendar.ts';
import { useEditing } from '../editing.ts';
import type { ModelFacts } from '../facts.ts';
import { words } from '../messages/words.ts';
import { asItem, encodingOf, fieldOf, isLayer, itemsOf, wellValue, withField, type Item, type Layer, type Well } from '../wells.ts';

interface WellFieldProps {
  readonly tile: Tile;
  readonly well: Well;
  readonly facts: ModelFacts;
  /** The tile with something else in this place. */
  readonly onChange: (tile: Tile, joins?: string) => void;
}

/** One place of a tile for fields: what is in it, with its options; dropped on, or chosen from a list. */
export function WellField({ tile, well, facts, onChange }: WellFieldProps) {
  const { dragged, setDragged } = useEditing();
  const [isOver, setIsOver] = useState(false);
  const items = itemsOf(tile, well);
  const field = dragged && 'field' in dragged ? facts.of(dragged.field) : undefined;
  const takes = field !== undefined && asItem(field, well) !== undefined;
  const isFull = items.length >= (well.most ?? 1);
  const set = (next: readonly Item[], joins?: string) => {
    const value = wellValue(well, next);
    const { [well.key as 'title']: _, ...rest } = tile as Tile & { title?: string };
    onChange((value === undefined ? rest : { ...tile, [well.key]: value }) as Tile, joins);
  };
  const put = (name: string) => {
    const facet = facts.of(name);
    const next = facet && withField(tile, well, facet);
    if (next) onChange(next);
  };
  const canRemove = (well.isNeeded ? items.length > (well.fewest ?? 1) : true) && items.length > 0;
  const offered = facts.fields.filter(candidate => asItem(candidate, well) !== undefined && !(well.most !== undefined && items.some(item => fieldOf(item) === candidate.name)));
  const name = words.wells[well.key];
  return (
    <div
      role="group"
      aria-label={name}
      data-well={well.key}
      className={`flex flex-col gap-1 rounded-control border border-dashed p-1.5 ${isOver && takes ? 'border-accent bg-accent-weak' : takes ? 'border-accent' : 'border-border-strong'}`}
      onDragOver={event => {
        if (!takes) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={event => {
        setIsOver(false);
        if (!field || !takes) return;
        event.preventDefault();
        setDragged(undefined);
        put(field.name);
      }}
    >
      <div className="flex h-6 items-center gap-2 px-0.5">
        <span className="min-w-0 flex-1 truncate text-11 text-text-2">{name}</span>
        {isFull && items.length > 0 && well.most !== undefined ? null : (
          <select aria-label={`${name}: ${words.tile.choose}`} value="" onChange={event => put(event.target.value)} className="field-sizing-content h-6 max-w-36 shrink-0 rounded-control bg-transparent text-11 text-text-2 hover:bg-hover pointer-coarse:h-11">
            <option value="">{items.length === 0 ? words.tile.drop : well.most === undefined ? words.tile.change : words.tile.more}</option>
            {offered.map(candidate => <option key={candidate.name} value={candidate.name}>{candidate.label}</option>)}
          </select>
        )}
      </div>
      {items.map((item, i) => (
        <Chip
          key={`${fieldOf(item)}-${i}`}
          item={item}
          tile={tile}
          well={well}
          facts={facts}
          canRemove={canRemove}
          onRemove={() => set(items.filter((_, other) => other !== i))}
          onChange={(next, joins) => set(items.with(i, next), joins)}
        />
      ))}
    </div>
  );
}

interface ChipProps {
  readonly item: Item;
  readonly tile: Tile;
  readonly well: Well;
  readonly facts: ModelFacts;
  readonly canRemove: boolean;
  readonly onRemove: () => void;
  readonly onChange: (item: Item, joins?: string) => void;
}

function Chip({ item, tile, well, facts, canRemove, onRemove, onChange }: ChipProps) {
  const name = fieldOf(item);
  const encoding = encodingOf(item);
  const field = facts.of(name);
  const label = itemLabel(item, field);
  const look = `flex h-[26px] min-w-0 flex-1 items-center truncate rounded-control bg-accent-weak px-2 text-12 text-accent-text ${field || name === 'rows' ? '' : 'line-through'}`;
  return (
    <div className="flex items-center gap-1">
      {encoding ? (
        <Popover label={words.tile.options(label)} trigger={<span className="truncate">{label}</span>} triggerClassName={`${look} hover:opacity-80`} width="w-60">
          <div className="flex flex-col gap-2.5">
            {isLayer(item) ? <LayerOptions layer={item} onChange={onChange} /> : null}
            {isMeasure(encoding)
              ? <MeasureOptions encoding={encoding} field={field} tile={tile} onChange={(next, joins) => onChange(isLayer(item) ? { ...item, y: next } : next, joins)} />
              : <FieldOptions encoding={encoding} field={field} tile={tile} onChange={onChange} />}
            {hasAxes.includes(tile.kind) && (well.key === 'x' || well.key === 'y' || isLayer(item)) ? <AxisOptions encoding={encoding} onChange={(next, joins) => onChange(isLayer(item) ? { ...item, y: next as MeasureEncoding } : next, joins)} /> : null}
            {hasLegends.includes(tile.kind) && well.key === 'color' && !isMeasure(encoding) ? <LegendOptions encoding={encoding} onChange={onChange} /> : null}
          </div>
        </Popover>
      ) : <span className={look}>{label}</span>}
      {canRemove ? <button type="button" aria-label={words.tile.remove(label)} onClick={onRemove} className="flex size-6 shrink-0 items-center justify-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11"><X size={13} aria-hidden /></button> : null}
    </div>
  );
}

function itemLabel(item: Item, field: FieldFacts | undefined): string {
  const encoding = encodingOf(item);
  const label = field?.label ?? fieldOf(item);
  if (!encoding) return label;
  if (!isMeasure(encoding)) return encoding.timeUnit ? `${label} · ${t.units[encoding.timeUnit] ?? encoding.timeUnit}` : label;
  if ('measure' in encoding) return label;
  return `${words.field.aggregates[encoding.aggregate]}${encoding.field === undefined ? '' : ` · ${label}`}`;
}

const hasAxes: readonly Tile['kind'][] = ['bar', 'line', 'area', 'combo', 'scatter', 'heatmap', 'waterfall'];
const hasLegends: readonly Tile['kind'][] = ['bar', 'line', 'area', 'scatter', 'radar'];

type Key = 'axis' | 'legend' | 'timeUnit' | 'gaps' | 'bin' | 'sort' | 'limit' | 'scale' | 'format' | 'show' | 'stack';
/** An encoding with a key changed; nothing in place of a value takes it out. */
function changed<E extends FieldEncoding | MeasureEncoding>(encoding: E, key: Key, value: unknown): E {
  const { [key as never]: _, ...rest } = encoding as Record<string, unknown>;
  return (value === undefined ? rest : { ...encoding, [key]: value }) as E;
}

function FieldOptions({ encoding, field, tile, onChange }: { readonly encoding: FieldEncoding; readonly field: FieldFacts | undefined; readonly tile: Tile; readonly onChange: (item: Item, joins?: string) => void }) {
  const isTime = field?.type !== undefined && isTemporal(field.type);
  const isNumber = field?.type === 'integer' || field?.type === 'decimal' || field?.type === 'number';
  const isText = field !== undefined && !isMeasureField(field) && !isTime && !isNumber;
  const set = (key: Key, value: unknown, joins?: string) => onChange(changed(encoding, key, value), joins);
  const step = typeof encoding.bin === 'object' ? encoding.bin.step : undefined;
  const sort = typeof encoding.sort === 'string' ? encoding.sort : 'none';
  const isPlain = tile.kind !== 'scatter';
  // Readers may choose it: a parameter's name in place of a grain.
  const { editor } = useEditing();
  const calendar = useCalendar();
  const grains = Object.entries(editor.state.document.parameters ?? {}).flatMap(([name, parameter]) => (parameter.kind === 'timeUnit' ? [{ value: `:${name}`, label: `: ${parameter.label ?? labelFrom(name)}` }] : []));
  return (
    <>
      {isTime && isPlain ? <Choice label={words.field.unit} value={encoding.timeUnit ?? ''} options={[...(encoding.timeUnit ? [] : [{ value: '', label: '–' }]), ...unitsOn(calendar).map(unit => ({ value: unit as string, label: t.units[unit] })), ...grains]} onChange={value => set('timeUnit', value === '' ? undefined : value)} /> : null}
      {isTime && isPlain && tile.kind !== 'calendar' ? <Choice label={words.field.gaps} value={encoding.gaps ?? ''} options={(['', 'zero', 'carry', 'interpolate'] as const).map(value => ({ value, label: words.field.fillings[value] }))} onChange={value => set('gaps', value === '' ? undefined : value)} /> : null}
      {isNumber && isPlain ? (
        <>
          <Choice label={words.field.bins} value={encoding.bin === undefined ? 'none' : step === undefined ? 'auto' : 'step'} options={[{ value: 'none', label: words.field.noBins }, { value: 'auto', label: words.field.autoBins }, { value: 'step', label: words.field.step }]} onChange={value => set('bin', value === 'none' ? undefined : value === 'auto' ? true : { step: step ?? 10 })} />
          {step === undefined ? null : <NumberField label={words.field.step} value={step} onChange={value => value !== undefined && value > 0 && set('bin', { step: value }, 'step')} />}
        </>
      ) : null}
      {isText || (isNumber && encoding.bin === undefined && isPlain) ? (
        <>
          <Choice label={words.field.sort} value={sort} options={(['none', '-value', 'value', 'ascending', 'descending'] as const).map(value => ({ value, label: words.field.sorts[value] }))} onChange={value => set('sort', value === 'none' ? undefined : value)} />
          <NumberField label={words.field.limit} value={encoding.limit} onChange={value => (value === undefined || (Number.isInteger(value) && value >= 1 && value <= 500)) && set('limit', value, 'limit')} />
        </>
      ) : null}
    </>
  );
}

function MeasureOptions({ encoding, field, tile, onChange }: { readonly encoding: MeasureEncoding; readonly field: FieldFacts | undefined; readonly tile: Tile; readonly onChange: (encoding: MeasureEncoding, joins?: string) => void }) {
  const set = (key: Key, value: unknown) => onChange(changed(encoding, key, value));
  const isNumber = field?.type === 'integer' || field?.type === 'decimal' || field?.type === 'number';
  const aggregates = isNumber ? (['sum', 'mean', 'median', 'min', 'max', 'count', 'distinct', 'q1', 'q3', 'stdev', 'variance'] as const) : (['count', 'distinct'] as const);
  const hasAxis = tile.kind === 'scatter' || tile.kind === 'bar' || tile.kind === 'line' || tile.kind === 'area' || tile.kind === 'combo';
  const beginsAtZero = tile.kind !== 'line' && tile.kind !== 'scatter';
  const isStacked = (tile.kind === 'bar' || tile.kind === 'area') && tile.color !== undefined;
  const scale = encoding.scale ?? {};
  const setScale = (next: NonNullable<MeasureEncoding['scale']>) => {
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
    set('scale', Object.keys(kept).length > 0 ? kept : undefined);
  };
  return (
    <>
      {'aggregate' in encoding ? <Choice label={words.field.aggregate} value={encoding.aggregate} options={aggregates.map(value => ({ value, label: words.field.aggregates[value] }))} onChange={value => onChange({ ...encoding, aggregate: value as typeof encoding.aggregate })} /> : null}
      <Choice label={words.field.format} value={encoding.format !== undefined && encoding.format in words.field.formats ? encoding.format : ''} options={Object.entries(words.field.formats).map(([value, label]) => ({ value, label }))} onChange={value => set('format', value === '' ? undefined : value)} />
      {tile.kind === 'kpi' || tile.kind === 'gauge' ? null : <Choice label={words.field.show} value={encoding.show ?? ''} options={Object.entries(words.field.shows).map(([value, label]) => ({ value, label }))} onChange={value => set('show', value === '' ? undefined : value)} />}
      {isStacked ? <Choice label={words.field.stack} value={encoding.stack === undefined ? '' : String(encoding.stack)} options={Object.entries(words.field.stacks).map(([value, label]) => ({ value, label }))} onChange={value => set('stack', value === '' ? undefined : value === 'false' ? false : value)} /> : null}
      {hasAxis ? (
        <>
          <Choice label={words.field.scale} value={scale.type ?? 'linear'} options={Object.entries(words.field.scales).map(([value, label]) => ({ value, label }))} onChange={value => setScale({ ...scale, type: value === 'linear' ? undefined : (value as 'log') })} />
          <Checkbox isSelected={scale.zero ?? beginsAtZero} onChange={zero => setScale({ ...scale, zero: zero === beginsAtZero ? undefined : zero })}>{words.field.zero}</Checkbox>
        </>
      ) : null}
    </>
  );
}

/** What stands along the axis: its own title, the names and numbers, lines across the chart. */
function AxisOptions({ encoding, onChange }: { readonly encoding: FieldEncoding | MeasureEncoding; readonly onChange: (encoding: FieldEncoding | MeasureEncoding, joins?: string) => void }) {
  const plain = { labels: true, grid: isMeasure(encoding) };
  const axis = encoding.axis === false ? { labels: false, grid: false } : { ...plain, ...encoding.axis };
  const set = (next: { readonly title?: string | undefined; readonly labels: boolean; readonly grid: boolean }, joins?: string) => {
    const kept = Object.fromEntries(Object.entries({ title: next.title, ...axis, ...next }).filter(([key, value]) => value !== undefined && value !== (plain as Record<string, unknown>)[key]));
    onChange(changed(encoding, 'axis', Object.keys(kept).length > 0 ? kept : undefined), joins);
  };
  return (
    <>
      <TextField label={words.field.axisTitle} value={'title' in axis ? (axis.title ?? '') : ''} onChange={title => set({ ...axis, title: title === '' ? undefined : title }, 'axis title')} />
      <Checkbox isSelected={axis.labels} onChange={labels => set({ ...axis, labels })}>{words.field.axisLabels}</Checkbox>
      <Checkbox isSelected={axis.grid} onChange={grid => set({ ...axis, grid })}>{words.field.axisGrid}</Checkbox>
    </>
  );
}

function LegendOptions({ encoding, onChange }: { readonly encoding: FieldEncoding; readonly onChange: (encoding: FieldEncoding, joins?: string) => void }) {
  const { legend } = encoding;
  return (
    <>
      <Checkbox isSelected={legend !== false} onChange={isShown => onChange(changed(encoding, 'legend', isShown ? undefined : false))}>{words.field.legend}</Checkbox>
      {legend === false ? null : <TextField label={words.field.legendTitle} value={legend?.title ?? ''} onChange={title => onChange(changed(encoding, 'legend', title === '' ? undefined : { title }), 'legend title')} />}
    </>
  );
}

function LayerOptions({ layer, onChange }: { readonly layer: Layer; readonly onChange: (item: Item) => void }) {
  return (
    <>
      <Choice label={words.field.mark} value={layer.mark} options={(['bar', 'line', 'area'] as const).map(value => ({ value, label: words.kinds[value] }))} onChange={value => onChange({ ...layer, mark: value as Layer['mark'] })} />
      <Choice label={words.field.axis} value={layer.axis ?? 'left'} options={(['left', 'right'] as const).map(value => ({ value, label: words.field.axes[value] }))} onChange={value => onChange({ ...layer, axis: value as 'left' })} />
    </>
  );
}

/** A number that may be left out; what is no number stays in the field and changes nothing. */
export function NumberField({ label, value, onChange }: { readonly label: string; readonly value: number | undefined; readonly onChange: (value: number | undefined) => void }) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      label={label}
      inputMode="decimal"
      value={typed ?? (value === undefined ? '' : String(value))}
      onChange={text => {
        const number = text.trim() === '' ? undefined : Number(text.replace(',', '.'));
        const isNumber = number === undefined || Number.isFinite(number);
        setTyped(isNumber && String(number ?? '') === text ? undefined : text);
        if (isNumber) onChange(number);
      }}
    />
  );
}
