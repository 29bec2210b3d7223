import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import seconds from './test-seconds.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
const recorded: Readonly<Record<string, number>> = seconds;

/**
 * Runs the longest files of a group first, so that none is still running when the others have ended. A fresh
 * clone has no earlier results, and the sizes of files, which Vitest uses then, say little about journeys.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(b) - secondsOf(a));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

function secondsOf({ moduleId }: TestSpecification): number {
  return recorded[path.relative(root, moduleId).replaceAll(path.sep, '/')] ?? 0;
}
