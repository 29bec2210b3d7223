import { LimitsFile } from '@belvedere/document';
import os from 'node:os';
import { expect, test } from 'vitest';
import { limits, startLimits, workspaceLimits } from './limits.ts';

const own = {
  questionTime: '2 minutes',
  sqlTime: '1 second',
  exportTime: '1 hour',
  exportRows: 11,
  exportRowsOf: { explorer: 5 },
  marks: 12,
  indexCells: 13,
  uploadSize: '14 MiB',
  auditRetention: '400 days',
  trashRetention: '3 days',
  historyRetention: '2 days',
  engineMemory: '256 MiB',
  engineThreads: 3,
  packedMemory: '16 MiB',
  cacheMemory: '5 MiB',
  questionsAtOnce: 7,
  readsPerMinute: 8,
  writesPerMinute: 9,
  exportsPerMinute: 10,
  uploadsPerMinute: 11,
  sessionIdle: '1 day',
  sessionLife: '2 days',
} satisfies Required<LimitsFile>;

test('each limit that a workspace sets is read where it is used', () => {
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(LimitsFile.shape).toSorted());
  expect(workspaceLimits({ limits: own })).toEqual({
    queryMs: 120_000,
    sqlMs: 1000,
    exportMs: 3_600_000,
    exportRows: 11,
    exportRowsOf: { explorer: 5 },
    marksPerTile: 12,
    indexCells: 13,
    uploadBytes: 14 * 2 ** 20,
    auditRetentionMs: 400 * 86_400_000,
    trashRetentionMs: 3 * 86_400_000,
    historyRetentionMs: 2 * 86_400_000,
  });
  expect(startLimits({ limits: own })).toEqual({
    engineMemoryBytes: 2 ** 28,
    engineThreads: 3,
    codedBytes: 2 ** 24,
    cacheBytes: 5 * 2 ** 20,
    runningQueries: 7,
    readsPerMinute: 8,
    writesPerMinute: 9,
    exportsPerMinute: 10,
    uploadsPerMinute: 11,
    sessionIdleMs: 86_400_000,
    sessionLifeMs: 2 * 86_400_000,
  });
});

test('unset limits have their defaults', () => {
  expect(workspaceLimits({})).toMatchObject({
    queryMs: limits.interactiveMs,
    exportRows: limits.exportRows,
  });
  const {
    engineMemoryBytes,
    engineThreads,
    codedBytes,
    cacheBytes,
    runningQueries,
    readsPerMinute,
    writesPerMinute,
    exportsPerMinute,
    uploadsPerMinute,
    sessionIdleMs,
    sessionLifeMs,
  } = limits;
  expect(startLimits({})).toEqual({
    engineMemoryBytes,
    engineThreads,
    codedBytes,
    cacheBytes,
    runningQueries,
    readsPerMinute,
    writesPerMinute,
    exportsPerMinute,
    uploadsPerMinute,
    sessionIdleMs,
    sessionLifeMs,
  });
});

test('the memory limit never exceeds the machine’s memory', () => {
  const all = '64 TiB';
  const { engineMemoryBytes, codedBytes, cacheBytes } = startLimits({
    limits: { engineMemory: all, packedMemory: all, cacheMemory: all },
  });
  expect([engineMemoryBytes, codedBytes, cacheBytes]).toEqual([os.totalmem(), os.totalmem(), os.totalmem()]);
});
