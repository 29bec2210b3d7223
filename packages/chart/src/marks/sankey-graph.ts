import { slotsOf } from '@belvedere/query';
import type { ChartInput } from '../chart.ts';
import { positionName } from '../guides/place-axis.ts';

/** A value of one of the axes, between which amounts flow. */
export interface Stop {
  readonly level: number;
  readonly position: number;
  readonly name: string;
}

/** Adds up the amounts of groups to flows between the values of neighbouring axes. */
export function sankeyGraph(
  values: Float64Array,
  { axes, hidden, locale }: Pick<ChartInput, 'axes' | 'hidden' | 'locale'>,
): {
  stops: Stop[];
  flows: { source: string; target: string; value: number; origin: number }[];
} {
  const counts = axes.map(slotsOf);
  const flows = new Map<
    string,
    { source: string; target: string; value: number; origin: number; largest: number }
  >();
  const seen = new Map<string, Stop>();
  const positions = axes.map(() => 0);
  values.forEach((value, group) => {
    if (!(value > 0)) return;
    for (let level = axes.length - 1, rest = group; level >= 0; level--) {
      positions[level] = rest % counts[level]!;
      rest = Math.floor(rest / counts[level]!);
    }
    if (hidden?.has(positions[0]!)) return;
    for (let level = 0; level + 1 < axes.length; level++) {
      const [source, target] = [`${level}:${positions[level]}`, `${level + 1}:${positions[level + 1]}`];
      for (const [at, id] of [
        [level, source],
        [level + 1, target],
      ] as const)
        if (!seen.has(id))
          seen.set(id, {
            level: at,
            position: positions[at]!,
            name: positionName(axes[at]!, positions[at]!, locale),
          });
      const flow = flows.get(`${source}>${target}`) ?? {
        source,
        target,
        value: 0,
        origin: positions[0]!,
        largest: 0,
      };
      flow.value += value;
      if (value > flow.largest) Object.assign(flow, { largest: value, origin: positions[0]! });
      flows.set(`${source}>${target}`, flow);
    }
  });
  return { stops: [...seen.values()], flows: [...flows.values()].map(({ largest: _, ...flow }) => flow) };
}
