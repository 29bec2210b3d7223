import { expect, test } from 'vitest';
import { workspaceLimits } from '../limits.ts';
import { retentionOf } from './retention.ts';

const now = Date.UTC(2026, 11, 1);
const day = 86_400_000;

test('records are kept as long as belvedere.yaml says', () => {
  const limits = workspaceLimits({ limits: { auditRetention: '800 days' } });
  expect(retentionOf({ limits, problems: [] }, now)).toEqual({
    auditFrom: new Date(now - 800 * day),
    trashFrom: new Date(now - 30 * day),
    historyFrom: new Date(now - 90 * day),
  });
});

test('nothing is deleted while belvedere.yaml has errors, which may say that more is kept', () => {
  const problem = (file: string) => ({ file, code: 'unknown-key', message: 'No such property' });
  const limits = workspaceLimits({});
  const from = (file: string) => retentionOf({ limits, problems: [problem(file) as never] }, now);
  expect(from('belvedere.yaml')).toBeUndefined();
  expect(from('dashboards/sales.yaml')).toBeDefined();
});
