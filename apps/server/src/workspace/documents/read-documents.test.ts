import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DocumentReader } from './document-reader.ts';
import { readDocuments } from './read-documents.ts';

describe('grants in git', () => {
  let root: string;
  const reader = new DocumentReader();
  const grantsOf = (team: number, count: number) =>
    `version: 1\ngrants:\n${Array.from(
      { length: count },
      (_, i) => `  - { dashboard: board-${i}, group: Team ${team}, level: view }\n`,
    ).join('')}`;
  beforeAll(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'belvedere-access-'));
    await mkdir(path.join(root, 'access'));
    await writeFile(path.join(root, 'access.yaml'), grantsOf(0, 1000));
    for (let team = 1; team < 12; team++)
      await writeFile(path.join(root, 'access', `team-${team}.yaml`), grantsOf(team, 1000));
  });
  afterAll(async () => {
    await reader.close();
    await rm(root, { recursive: true });
  });

  test('of twelve files, 12,000 in all, apply together, as the same list while no file changes', async () => {
    const { declaredGrants, problems } = await readDocuments(root, reader);
    expect([declaredGrants.length, problems]).toEqual([12_000, []]);
    expect(new Set(declaredGrants.map(({ group }) => group)).size).toBe(12);
    expect((await readDocuments(root, reader)).declaredGrants).toBe(declaredGrants);
  });

  test('of a file with an error do not apply, and those of the others do', async () => {
    await writeFile(path.join(root, 'access', 'team-3.yaml'), grantsOf(3, 10).replace('view', 'see'));
    const { declaredGrants, problems } = await readDocuments(root, reader);
    expect(declaredGrants.length).toBe(11_000);
    expect(problems.map(({ file, line }) => [file, line])).toEqual([['access/team-3.yaml', 3]]);
  });
});
