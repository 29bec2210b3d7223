import { keptDetail, type ProblemType, type Role } from '@belvedere/api';
import { expect, test } from 'vitest';
import { ProblemError } from '../http/problems.ts';
import type { Caller } from './caller.ts';
import { redactError } from './row-policies.ts';

const caller = (role: Role) => ({ role, rows: 'all' }) as unknown as Caller;
const secret = 'The source `Payroll` is paused: password changed';

test.each<[ProblemType, string]>([
  ['source-paused', 'An admin has paused its source.'],
  ['still-reading', 'Its data is still being imported.'],
  ['source-unreachable', keptDetail],
  ['not-found', secret],
])('of %s, viewers read: %s', (type, detail) => {
  const error = new ProblemError(type, secret);
  expect(redactError(error, caller('viewer'))).toMatchObject({ type, message: detail });
  expect(redactError(error, caller('editor'))).toBe(error);
});
