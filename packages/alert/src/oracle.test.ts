import { expect, test } from 'vitest';
import type { PeriodUnit } from './condition.ts';
import { rehearse } from './rehearse.ts';
import type { AlertRule, Fallback } from './rule.ts';
import type { Point } from './series.ts';

/*
 * A second, plain account of alerts, written from the guide's sentences without the package's code, on 10,000
 * random series. The seed is printed with a failure; set BELVEDERE_SEED to repeat it.
 */
const seed = Number(process.env['BELVEDERE_SEED'] ?? Date.now() % 2 ** 31);

const hourMs = 3_600_000;
const unitMs: Partial<Record<PeriodUnit, number>> = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs };

test(`rehearsals agree with a plain oracle on 10,000 random series (seed ${seed})`, () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 10_000; round++) {
    const { rule, points, unit } = randomCase(random);
    const expected = oracle(rule, points, unit);
    const { spans, messages, fired } = rehearse(rule, [{ group: '', label: '', points }], unit);
    const states = points.map(
      point => spans.find(({ from, below }) => from <= point.from && point.from < below)?.state ?? 'ok',
    );
    const found = { states, messages, fired };
    if (JSON.stringify(found) !== JSON.stringify(expected))
      expect.soft({ round, seed, rule, points, unit, ...found }).toMatchObject(expected);
  }
});

function oracle(rule: AlertRule, points: readonly Point[], unit: PeriodUnit) {
  const states: string[] = [];
  let [state, known, sinceBreach, notifiedAt] = ['ok', 'ok', Number.NaN, 0];
  let [gap, sinceGap] = ['', Number.NaN];
  let [messages, fired] = [0, 0];
  points.forEach(({ below: now }, k) => {
    // Repetitions between the checks.
    if (state === 'firing' && rule.repeatMs !== undefined)
      while (notifiedAt + rule.repeatMs < now) {
        notifiedAt += rule.repeatMs;
        messages++;
      }
    const holds = plainVerdict(rule, points, k, unit, state === 'firing' || state === 'pending');
    const counts = holds === 'noData' ? (rule.noData === 'fire' ? true : 'noData') : holds;
    if (counts === 'noData') {
      if (gap === '') [gap, sinceGap] = ['noData', now];
      if (state !== 'firing' && now - sinceGap >= rule.holdMs) state = 'noData';
    } else {
      gap = '';
      if (!counts) state = 'ok';
      else if (state !== 'firing') {
        if (state !== 'pending') sinceBreach = now;
        state = now - sinceBreach >= rule.holdMs ? 'firing' : 'pending';
        if (state === 'firing') fired++;
      }
    }
    states.push(state);
    const isSecret = state === 'pending' || (state === 'noData' && rule.noData === 'ignore');
    const isNews = !isSecret && state !== known;
    const isRepeat =
      state === 'firing' &&
      known === 'firing' &&
      rule.repeatMs !== undefined &&
      now >= notifiedAt + rule.repeatMs;
    if (isNews || isRepeat) [known, notifiedAt, messages] = [state, now, messages + 1];
  });
  return { states, messages, fired };
}

function plainVerdict(
  { when }: AlertRule,
  points: readonly Point[],
  k: number,
  unit: PeriodUnit,
  isOn: boolean,
): boolean | 'noData' {
  const { value, from } = points[k]!;
  if (value === null) return 'noData';
  if (when.above !== undefined)
    return isOn && when.clear !== undefined ? !(value < when.clear) : value > when.above;
  if (when.below !== undefined)
    return isOn && when.clear !== undefined ? !(value > when.clear) : value < when.below;
  if (when.outside) return !(when.outside[0] <= value && value <= when.outside[1]);
  if (when.change) {
    const { by, direction, against } = when.change;
    const earlierFrom = from - (against === 'same weekday' ? 7 * 24 * hourMs : unitMs[unit]!);
    const earlier = points.find(point => point.from === earlierFrom)?.value;
    if (earlier === undefined || earlier === null) return false;
    const grown = value - earlier;
    const size =
      typeof by === 'number' ? Math.abs(grown) : grown === 0 ? 0 : Math.abs(grown) / Math.abs(earlier);
    const least = typeof by === 'number' ? by : parseFloat(by) / 100;
    if (direction === 'up' && grown <= 0) return false;
    if (direction === 'down' && grown >= 0) return false;
    return size >= least;
  }
  const { deviations = 4, by, direction } = when.unusual!;
  const alike = (other: Point) => {
    const [a, b] = [new Date(other.from), new Date(from)];
    const isHour = a.getUTCHours() === b.getUTCHours();
    if (by === 'nothing' || unit === 'week') return true;
    return (by ?? (unit === 'hour' ? 'hour' : 'weekday')) === 'hour'
      ? isHour
      : isHour && a.getUTCDay() === b.getUTCDay();
  };
  const others = points
    .slice(0, k)
    .filter(point => point.value !== null && alike(point))
    .slice(-30)
    .map(point => point.value!)
    .sort((a, b) => a - b);
  if (others.length < 5) return false;
  const middle = halfway(others);
  const distances = others.map(other => Math.abs(other - middle)).sort((a, b) => a - b);
  const typical = halfway(distances) || distances.reduce((sum, one) => sum + one) / distances.length;
  if (direction !== 'down' && value > middle + deviations * typical) return true;
  return direction !== 'up' && value < middle - deviations * typical;
}

function halfway(sorted: readonly number[]): number {
  const half = sorted.length / 2;
  return Number.isInteger(half) ? (sorted[half - 1]! + sorted[half]!) / 2 : sorted[Math.floor(half)]!;
}

type Random = () => number;

function randomCase(random: Random) {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const unit = pick(['hour', 'day', 'day', 'week'] as const);
  const level = pick([1, 5, 40]);
  const number = () => Math.round(random() * level * 2);
  const threshold = number();
  const direction = pick(['up', 'down', 'either', undefined] as const);
  const when = pick<() => AlertRule['when']>([
    () => ({ above: threshold, ...(random() < 0.5 && { clear: threshold - number() }) }),
    () => ({ below: threshold, ...(random() < 0.5 && { clear: threshold + number() }) }),
    () => ({ outside: [threshold, threshold + number()] }),
    () => ({
      change: {
        by: pick<number | string>([1, 3, '10%', '50%', '100%']),
        direction,
        against: pick(['previous period', unit === 'week' ? undefined : 'same weekday', undefined] as const),
      },
    }),
    () => ({
      unusual: {
        deviations: pick([1, 2, 4]),
        direction,
        by: unit === 'hour' ? pick(['hour', 'nothing'] as const) : pick(['nothing', undefined] as const),
      },
    }),
  ])();
  const rule: AlertRule = {
    when,
    holdMs: pick([0, 0, 1, 2, 3]) * unitMs[unit]!,
    ...(random() < 0.3 && { repeatMs: pick([0.3, 1, 2.5]) * unitMs[unit]! }),
    noData: pick<Fallback>(['notify', 'ignore', 'fire']),
    onError: 'notify',
  };
  const gaps = pick([0, 0.1, 0.5]);
  const points = Array.from(
    { length: Math.floor(random() * (unit === 'hour' ? 200 : 60)) },
    (_, i): Point => {
      const from = i * unitMs[unit]!;
      const value = random() < gaps ? null : pick([number, () => level])();
      return { from, below: from + unitMs[unit]!, value };
    },
  );
  return { rule, points, unit };
}

/** Mulberry32. */
function randomFrom(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
