import type { Client, Field, ModelSummary } from '@belvedere/api';
import {
  labelFrom,
  shapeOfRole,
  valueOf,
  type DashboardFile,
  type Tile,
  type TileKind,
} from '@belvedere/document';
import { isNumeric, regionShapeOf, type DataType } from '@belvedere/model';
import { isMeasureField, convertTile, suggestTile, type FieldFacts } from '@belvedere/query';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { measureLabel } from '../../dashboard/tiles/describe.ts';
import { client } from '../../data/server.ts';

export type ModelProfile = Awaited<ReturnType<Client['getModelProfile']>>;

/** Whether a search matches a field's name, label or description. */
export function matchesSearch({ label, name, description }: FieldFacts, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [label.toLowerCase(), name, description?.toLowerCase()].some(text => text?.includes(wanted));
}

/**
 * The fields of a model with what is known of their values, measures first. `fields` excludes hidden ones;
 * `of` finds them, too.
 */
export interface FieldProfiles {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly FieldFacts[];
  readonly profile: ModelProfile | undefined;
  /** The dimension of time. */
  readonly time?: string;
  readonly of: (name: string) => FieldFacts | undefined;
}

export function useModels(enabled = true): readonly ModelSummary[] {
  const { data } = useQuery({
    queryKey: ['workspace', 'models'],
    queryFn: ({ signal }) => client.listModels({}, { signal }),
    enabled,
  });
  return data?.models ?? none;
}
const none: readonly ModelSummary[] = [];

export const modelProfile = (name: string) =>
  queryOptions({
    queryKey: ['workspace', 'model-profile', name],
    queryFn: ({ signal }) => client.getModelProfile({ params: { name } }, { signal }),
  });
export const useModelProfile = (name: string | undefined) =>
  useQuery({ ...modelProfile(name ?? ''), enabled: name !== undefined });

export function useFieldProfiles(
  models: readonly ModelSummary[],
  name: string | undefined,
): FieldProfiles | undefined {
  const { data: profile } = useModelProfile(name);
  const model = models.find(candidate => candidate.name === name);
  return useMemo(() => model && fieldProfilesOf(model, profile), [model, profile]);
}

export function fieldProfilesOf(model: ModelSummary, profile: ModelProfile | undefined): FieldProfiles {
  const known: FieldFacts[] = [
    ...model.measures.map(measure => ({
      name: measure.name,
      label: measureLabel(measure, model),
      ...said(measure),
    })),
    ...model.dimensions.map(({ name, label, type, description, role }) => {
      const counted = profile?.fields[name] ?? profile?.joined[name];
      const regions = shapeOfRole(role) ?? (counted && regionShapeOf({ ...counted, type: type as DataType }));
      return {
        name,
        label,
        ...said({ description }),
        type: type as DataType,
        ...(regions && { regions }),
        ...((role === 'latitude' || role === 'longitude') && { coordinate: role }),
        ...(counted && {
          profile: {
            distinct: counted.distinct,
            ...(counted.min !== undefined && { min: counted.min }),
            ...(counted.max !== undefined && { max: counted.max }),
            ...(counted.low !== undefined && { low: counted.low }),
            ...(counted.high !== undefined && { high: counted.high }),
          },
        }),
      };
    }),
  ];
  const hidden = new Set(
    [...model.measures, ...model.dimensions].filter(field => field.isHidden).map(field => field.name),
  );
  const fields = known.filter(field => !hidden.has(field.name));
  const byName = new Map(known.map(field => [field.name, field]));
  return {
    name: model.name,
    label: model.label,
    fields,
    profile,
    ...(model.time !== undefined && { time: model.time }),
    of: name => byName.get(name),
  };
}

function said({ description }: Pick<Field, 'description'>): Pick<FieldFacts, 'description'> {
  return description === undefined ? {} : { description };
}

/**
 * The profiles with the dashboard's parameters. Parameters that name a field or a measure can be used like
 * one.
 */
export function withParameters(
  profiles: FieldProfiles,
  parameters: DashboardFile['parameters'] = {},
): FieldProfiles {
  const standing = Object.entries(parameters).flatMap(([name, parameter]): FieldFacts[] => {
    if (parameter.kind !== 'measure' && parameter.kind !== 'field') return [];
    const type =
      parameter.kind === 'field'
        ? (profiles.of(String(valueOf(parameter, undefined)))?.type ?? 'text')
        : undefined;
    return [{ name: `:${name}`, label: `: ${parameter.label ?? labelFrom(name)}`, ...(type && { type }) }];
  });
  if (standing.length === 0) return profiles;
  const byName = new Map(standing.map(field => [field.name, field]));
  return {
    ...profiles,
    fields: [...profiles.fields, ...standing],
    of: name => byName.get(name) ?? profiles.of(name),
  };
}

/** A starter tile of a kind, with suitable fields. Undefined if the model has none. */
export function starterTile(kind: TileKind, profiles: FieldProfiles | undefined): Tile | undefined {
  if (kind === 'text') return { kind, text: '…' };
  if (kind === 'image') return { kind, file: 'logo.png', alt: '…' };
  if (!profiles) return undefined;
  const measures = profiles.fields.filter(isMeasureField);
  const measure = measures.find(field => field.name !== 'rows') ?? measures[0];
  const dimensions = profiles.fields.filter(field => !isMeasureField(field));
  const time = dimensions.find(({ type }) => type === 'date' || type === 'time' || type === 'instant');
  const names = dimensions.filter(
    ({ type, profile }) =>
      (type === 'text' || type === 'boolean') &&
      (profile === undefined || (profile.distinct > 1 && profile.distinct <= 500)),
  );
  const amounts = dimensions.filter(
    ({ type, profile }) =>
      (type === 'number' || type === 'decimal' || type === 'integer') &&
      profile?.low !== undefined &&
      profile.distinct > 31,
  );
  const any = (...fields: (FieldFacts | undefined)[]) => fields.filter(field => field !== undefined);
  if (kind === 'map') {
    const region = dimensions.find(({ regions }) => regions !== undefined);
    if (region) return convertTile(asPieces(any(region, measure)), kind, profiles.of);
    const [longitude, latitude] = (
      [
        ['longitude', /(^|_)(lon|lng|long|longitude)$/i],
        ['latitude', /(^|_)lat(itude)?$/i],
      ] as const
    ).map(
      ([role, word]) =>
        dimensions.find(({ coordinate }) => coordinate === role) ??
        dimensions.find(({ name, type }) => type && isNumeric(type) && word.test(name)),
    );
    if (longitude && latitude)
      return {
        kind,
        shape: 'countries',
        longitude: { field: longitude.name },
        latitude: { field: latitude.name },
      };
    // Shapes of the folder `maps` may have any names.
    return (
      names[0] && {
        kind,
        shape: 'countries',
        region: { field: names[0].name },
        ...(measure && { color: { measure: measure.name } }),
      }
    );
  }
  if (kind === 'candlestick') return time && amounts[0] ? candles(time.name, amounts[0].name) : undefined;
  if (kind === 'table')
    return dimensions.length > 0
      ? { kind, columns: dimensions.slice(0, 8).map(({ name }) => name) }
      : undefined;
  for (const fields of [
    any(time, measure),
    any(names[0], measure),
    any(names[0], names[1], measure),
    any(amounts[0], amounts[1]),
    any(
      names[0],
      measure,
      measures.find(other => other !== measure),
    ),
    any(names[0], amounts[0]),
    any(time),
    any(names[0]),
    any(dimensions[0]),
    any(measure),
  ]) {
    if (fields.length === 0) continue;
    const tile = convertTile(asPieces(fields), kind, profiles.of);
    if (tile) return tile;
  }
  return undefined;
}

/** Whether a tile is as `starterTile` makes it, so that its fields were not chosen by a user. */
export function isStarter({ at: _, title: __, ...tile }: Tile, profiles: FieldProfiles): boolean {
  return JSON.stringify(tile) === JSON.stringify(starterTile(tile.kind, profiles));
}

/** A table of the fields. */
function asPieces(fields: readonly FieldFacts[]): Tile {
  const suggested = suggestTile(fields);
  return suggested.kind === 'table' ? suggested : { kind: 'table', columns: fields.map(field => field.name) };
}

const candles = (time: string, amount: string): Tile => ({
  kind: 'candlestick',
  x: { field: time, timeUnit: 'month' },
  open: { field: amount, aggregate: 'q1' },
  high: { field: amount, aggregate: 'max' },
  low: { field: amount, aggregate: 'min' },
  close: { field: amount, aggregate: 'q3' },
});
