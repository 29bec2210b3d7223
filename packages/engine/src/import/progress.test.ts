import { expect, test } from 'vitest';
import { Stages, within } from './progress.ts';

test('the steps of an import make one progress value, which never decreases', () => {
  const stages = new Stages();
  const csv = within(stages.begin, 0, 90);
  const seen: number[] = [stages.percent(-1)];
  csv(0, 50);
  for (const percentage of [0, 40, 100, -1]) seen.push(stages.percent(percentage));
  csv(50, 100);
  for (const percentage of [0, 100, 7]) seen.push(stages.percent(percentage));
  stages.begin(90, 99);
  for (const percentage of [-1, 50, 100, 140]) seen.push(stages.percent(percentage));
  expect(seen).toEqual([0, 0, 18, 45, 45, 45, 90, 90, 90, 94, 99, 99]);
});
