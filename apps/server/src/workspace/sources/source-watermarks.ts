import { EngineError } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import { planQuery, type Plan } from '@belvedere/query';
import { writeSql } from '@belvedere/sql';
import { sourceTableOf, type SourceEngine, type SourceState, type Watermark } from './source.ts';

const watermarkMs = 10_000;

/** Query plans of watermarks, by the model's name. */
export type WatermarkPlans = ReadonlyMap<string, Plan>;

/** Plans the watermarks of the models of a source that define one. */
export function watermarkPlans(source: string, models: readonly Model[]): WatermarkPlans {
  return new Map(
    models.flatMap(model =>
      model.source === source && model.watermark
        ? [[model.name, planQuery({ kind: 'watermark', model: model.name }, model, 'UTC')] as const]
        : [],
    ),
  );
}

/** Queries a watermark. Its value is null if there are no rows. @throws EngineError */
export async function queryWatermark(
  { engine, circuit }: SourceEngine,
  state: SourceState,
  plan: Plan,
): Promise<Watermark['value']> {
  const statement = writeSql(plan, engine.dialect, called => {
    const table = sourceTableOf(state, called);
    if (!table) throw new EngineError('query-failed', `There is no table \`${called}\`.`);
    return engine.tableName(table.schema, table.name);
  });
  const options = { as: 'values', timeoutMs: watermarkMs, maxRows: 1 } as const;
  const {
    columns: [column],
  } = await circuit.run(() => engine.run(statement, options));
  return column?.values[0] ?? null;
}

/** Returns a source's watermarks with a newly queried one, without those of models that have none any more. */
export function withWatermark(
  before: SourceState['watermarks'],
  plans: WatermarkPlans,
  model: string,
  queried: Pick<Watermark, 'value' | 'type'> | undefined,
): SourceState['watermarks'] {
  const watermarks = new Map([...before].filter(([other]) => other !== model && plans.has(other)));
  const known = before.get(model);
  if (queried)
    watermarks.set(
      model,
      known?.value === queried.value ? known : { ...queried, since: new Date().toISOString() },
    );
  return watermarks;
}
