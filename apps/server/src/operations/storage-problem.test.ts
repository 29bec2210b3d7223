import { chineseProblems, germanProblems, storageReasons } from '@belvedere/api';
import { expect, test } from 'vitest';
import { problemFrom } from '../http/problems.ts';
import { problemOfStorage } from './storage-problem.ts';

const system = (code: string, syscall = 'write') =>
  Object.assign(new Error(`${code}: said by the system`), { code, syscall });
const sqlite = (errcode: number) =>
  Object.assign(new Error('said by SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });

test.each([
  ['ENOSPC', system('ENOSPC'), 'disk-full'],
  ['EDQUOT', system('EDQUOT'), 'disk-full'],
  ['EROFS', system('EROFS'), 'read-only'],
  ['EACCES', system('EACCES', 'open'), 'no-permission'],
  ['EPERM', system('EPERM', 'rename'), 'no-permission'],
  ['EIO', system('EIO', 'fsync'), 'disk-failed'],
  ['EMFILE', system('EMFILE', 'open'), 'too-many-files'],
  ['ENFILE', system('ENFILE', 'open'), 'too-many-files'],
  ['EBUSY', system('EBUSY', 'unlink'), 'in-use'],
  ['SQLITE_FULL', sqlite(13), 'disk-full'],
  ['SQLITE_IOERR_FSYNC', sqlite(10 | (4 << 8)), 'disk-failed'],
  ['SQLITE_READONLY', sqlite(8), 'read-only'],
  ['SQLITE_BUSY', sqlite(5), 'in-use'],
  ['SQLITE_LOCKED', sqlite(6), 'in-use'],
  ['SQLITE_CORRUPT_INDEX', sqlite(11 | (3 << 8)), 'damaged'],
  ['SQLITE_NOTADB', sqlite(26), 'damaged'],
  ['SQLITE_PERM', sqlite(3), 'no-permission'],
  ['SQLITE_CANTOPEN', sqlite(14), 'no-permission'],
])('%s results in a 503 with its reason, and without the system’s message', (_, error, reason) => {
  const problem = problemFrom(error, 'a request');
  expect([problem.status, problem.type, problem.reason]).toEqual([503, 'state-unavailable', reason]);
  expect(problem.detail).not.toContain('said by');
});

test.each([
  ['a wrong statement', sqlite(1)],
  ['a port that may not be used', system('EACCES', 'listen')],
  ['a database that does not respond', system('ECONNREFUSED', 'connect')],
  ['a mistake', new TypeError('no')],
])('%s is not a storage problem', (_, error) => {
  expect(problemFrom(error).type).toBe('internal');
});

test('every reason has a message of its own in every language', () => {
  for (const words of [germanProblems, chineseProblems])
    expect(new Set(Object.values(words.storage)).size).toBe(storageReasons.length);
  expect(new Set(storageReasons.map(reason => problemOfStorage(reason).message)).size).toBe(
    storageReasons.length,
  );
});
