import { isMeasure, type Annotation, type Encoding, type Tile } from '@belvedere/document';
import { formatCalendarTime, edgeOf, isOfGroups, positionsOf, slotsOf, type Axis } from '@belvedere/query';
import { InlineSelect, IconButton, TextField } from '@belvedere/ui';
import { positionName } from '@belvedere/chart';
import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { Picture } from '../../../live/live-tile.ts';
import { locale } from '../../../messages/messages.ts';
import { setKey, tilePath } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { words } from '../../messages/words.ts';
import { NumberField } from '../NumberField.tsx';

type AnnotatedTile = Extract<Tile, { annotations?: unknown }>;
type Channel = Exclude<keyof Annotation, 'text'>;
type Place = Annotation[Channel];

export const hasAnnotations = (tile: Tile): tile is AnnotatedTile =>
  ['bar', 'line', 'area', 'combo', 'heatmap', 'scatter'].includes(tile.kind);

/** The annotations of a chart: their texts and positions. A new one points at the largest mark. */
export function Annotations({ id, tile }: { readonly id: string; readonly tile: AnnotatedTile }) {
  const { editor } = useEditing();
  const page = useEditor(editor, state => state.page);
  const live = useEditor(editor, state => state.shown.live).tile(id);
  const view = useSyncExternalStore(live.onView, live.getView);
  const picture = view.filtered?.main ?? view.base.main;
  const annotations = tile.annotations ?? [];
  const put = (next: readonly Annotation[], joins: string) =>
    editor.apply(
      words.steps.setting,
      [setKey([...tilePath(page, id), 'annotations'], next)],
      `annotations:${id}:${joins}`,
    );
  return (
    <>
      {annotations.map((annotation, i) => (
        <div
          key={i}
          role="group"
          aria-label={words.annotations.one(i + 1)}
          className="flex flex-col gap-2 rounded-control border border-border p-2"
        >
          <div className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              <TextField
                label={words.annotations.text}
                value={annotation.text}
                onChange={text => text !== '' && put(annotations.with(i, { ...annotation, text }), String(i))}
              />
            </div>
            <IconButton
              label={words.annotations.remove(i + 1)}
              className="size-6!"
              onPress={() =>
                put(
                  annotations.filter((_, other) => other !== i),
                  'remove',
                )
              }
            >
              <X size={13} aria-hidden />
            </IconButton>
          </div>
          {channelsOf(tile).map(channel => (
            <WhereField
              key={channel}
              channel={channel}
              tile={tile}
              axis={picture?.axes.find(axis => axis.channel === channel)}
              value={annotation[channel]}
              onChange={value =>
                put(annotations.with(i, placedAt(annotation, channel, value)), `${i}:${channel}`)
              }
            />
          ))}
        </div>
      ))}
      {annotations.length < 20 && picture ? (
        <button
          type="button"
          className="self-start text-12 text-accent-text underline"
          onClick={() =>
            put([...annotations, { text: words.annotations.fresh, ...largestIn(picture, tile) }], 'add')
          }
        >
          {words.annotations.add}
        </button>
      ) : null}
    </>
  );
}

function placedAt(annotation: Annotation, channel: Channel, value: Place): Annotation {
  const { [channel]: _, ...rest } = annotation;
  return value === undefined ? rest : { ...rest, [channel]: value };
}

/** The channels that can give an annotation's position, in order of preference. */
function channelsOf(tile: AnnotatedTile): readonly Channel[] {
  const all = isOfGroups(tile)
    ? (['detail', 'color', 'column', 'row'] as const)
    : (['x', 'y', 'color', 'column', 'row'] as const);
  return all.filter(channel =>
    channel === 'y' && tile.kind === 'combo'
      ? true
      : encodingOf(tile, channel) !== undefined &&
        !(channel === 'color' && (tile.kind === 'heatmap' || isPlaced(tile))),
  );
}

/** The position of a row's point does not depend on its colour. */
const isPlaced = (tile: AnnotatedTile) => tile.kind === 'scatter' && !isOfGroups(tile);

function encodingOf(tile: AnnotatedTile, channel: Channel): Encoding | undefined {
  return (tile as unknown as Readonly<Partial<Record<Channel, Encoding>>>)[channel];
}

/**
 * One of the values that the chart shows, a date, or a number; a number of a measure may be left away: at the
 * mark itself then.
 */
function WhereField({
  channel,
  tile,
  axis,
  value,
  onChange,
}: {
  readonly channel: Channel;
  readonly tile: AnnotatedTile;
  readonly axis: Axis | undefined;
  readonly value: Place;
  readonly onChange: (value: Place) => void;
}) {
  const encoding = encodingOf(tile, channel);
  const label = words.annotations.at[channel];
  if (!encoding || isMeasure(encoding))
    return (
      <NumberField
        label={words.annotations.atNumber}
        value={typeof value === 'number' ? value : undefined}
        onChange={onChange}
      />
    );
  if (axis?.kind === 'bins')
    return (
      <NumberField
        label={label}
        value={typeof value === 'number' ? value : undefined}
        onChange={number => number !== undefined && onChange(number)}
      />
    );
  const shown = axis
    ? Array.from(
        { length: axis.kind === 'times' ? positionsOf(axis) : axis.values.length },
        (_, position) => ({
          value: valueAt(axis, position),
          label: positionName(axis, position, locale),
        }),
      )
    : [];
  const isKnown = shown.some(one => String(one.value) === String(value));
  const isNeeded = channel === 'x' || channel === 'y' || channel === 'detail';
  const options = [
    ...(isNeeded && value !== undefined ? [] : [{ value: '', label: words.annotations.any }]),
    ...(isKnown || value === undefined ? [] : [{ value: String(value), label: String(value) }]),
    ...shown.map(one => ({ value: String(one.value), label: one.label })),
  ];
  return (
    <InlineSelect
      label={label}
      value={value === undefined ? '' : String(value)}
      options={options}
      onChange={next =>
        onChange(
          next === '' && !isNeeded
            ? undefined
            : (shown.find(one => String(one.value) === next)?.value ?? value),
        )
      }
    />
  );
}

/** The value of a place as a document writes it. */
function valueAt(axis: Axis, position: number): Place {
  if (axis.kind === 'categories') return axis.values[position] as Place;
  return axis.kind === 'times'
    ? formatCalendarTime(edgeOf(axis, position))
    : Number(((edgeOf(axis, position) + edgeOf(axis, position + 1)) / 2).toPrecision(12));
}

/** The position of the largest mark. */
function largestIn({ axes, values }: Picture, tile: AnnotatedTile): Partial<Annotation> {
  const groups = axes.reduce((product, axis) => product * slotsOf(axis), 1);
  const positions = (group: number) => {
    let rest = group;
    return axes.map((_, i) => {
      const slots = axes.slice(i + 1).reduce((product, axis) => product * slotsOf(axis), 1);
      const position = Math.floor(rest / slots);
      rest %= slots;
      return position;
    });
  };
  let best: readonly number[] | undefined;
  let largest = Number.NEGATIVE_INFINITY;
  for (let group = 0; group < groups; group++) {
    const at = positions(group);
    const isNamed = at.every(
      (position, i) => position < (axes[i]!.kind === 'categories' ? axes[i]!.values.length : axes[i]!.count),
    );
    if (isNamed && values[group]! > largest) [best, largest] = [at, values[group]!];
  }
  const isOn = (channel: string): channel is Channel => channelsOf(tile).includes(channel as Channel);
  return Object.fromEntries(
    axes.flatMap((axis, i) => (best && isOn(axis.channel) ? [[axis.channel, valueAt(axis, best[i]!)]] : [])),
  );
}
