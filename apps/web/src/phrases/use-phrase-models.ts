import type { ModelSummary } from '@belvedere/api';
import { timeParts } from '@belvedere/model';
import type { PhraseModel } from '@belvedere/query';
import { queryOptions, useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../data/server.ts';
import {
  fieldProfilesOf,
  modelProfile,
  useModels,
  type ModelProfile,
} from '../editor/encoding/field-profiles.ts';

/** Phrases are read against so many models; the others are found by their names. */
const maxModels = 60;

type Values = Readonly<Record<string, readonly string[]>>;

const modelValues = (name: string) =>
  queryOptions({
    queryKey: ['workspace', 'model-values', name],
    queryFn: async ({ signal }): Promise<Values> =>
      (await client.getModelValues({ params: { name } }, { signal })).fields,
  });
const dataOf = <T>(results: readonly UseQueryResult<T>[]): readonly (T | undefined)[] =>
  results.map(({ data }) => data);

/**
 * The models as phrases name them.
 * @param wanted whether they are needed now, and with the values of their categories
 */
export function usePhraseModels({
  isEnabled,
  withValues,
}: {
  readonly isEnabled: boolean;
  readonly withValues: boolean;
}): {
  readonly models: readonly ModelSummary[];
  readonly phraseModels: readonly PhraseModel[];
} {
  const models = useModels(isEnabled);
  const read = useMemo(() => models.slice(0, maxModels), [models]);
  const profiles = useQueries({
    queries: read.map(({ name }) => ({ ...modelProfile(name), enabled: isEnabled })),
    combine: dataOf<ModelProfile>,
  });
  const values = useQueries({
    queries: read.map(({ name }) => ({ ...modelValues(name), enabled: isEnabled && withValues })),
    combine: dataOf<Values>,
  });
  const phraseModels = useMemo(
    () => read.map((model, i) => phraseModelOf(model, profiles[i], values[i])),
    [read, profiles, values],
  );
  return { models, phraseModels };
}

function phraseModelOf(
  model: ModelSummary,
  profile: ModelProfile | undefined,
  values: Values | undefined,
): PhraseModel {
  const { name, label, fields, time, of } = fieldProfilesOf(model, profile);
  return {
    name,
    label,
    ...(time !== undefined && { time }),
    ...(profile?.rows !== undefined && { rows: profile.rows }),
    timeParts: Object.fromEntries(
      Object.entries(timeParts).flatMap(([part, field]) => (of(field) ? [[part, of(field)!]] : [])),
    ),
    fields: fields.map(field => ({ ...field, ...(values?.[field.name] && { values: values[field.name]! }) })),
  };
}
