import type { ClusteredRows } from './clustered-rows.ts';
import type { Test } from '../kernel/scan.ts';
import { zoneRows } from './zone-map.ts';

/**
 * Removes the blocks of rows in which no test can be true. A filter on time skips most blocks if rows are
 * stored in time order.
 * @param tests one per section; a section without a test needs all rows
 */
export function chunksThatMayHold(
  chunks: Int32Array,
  tests: readonly (Test | undefined)[],
  clustered: ClusteredRows,
): Int32Array {
  const may = tests.reduce<Blocks>(
    (sofar, test) => either(sofar, test ? blocksWhere(test, true, clustered) : 'all'),
    'none',
  );
  if (may === 'all') return chunks;
  const left: number[] = [];
  for (let chunk = 0; chunk < chunks.length; chunk += 3) {
    const [below, run] = [chunks[chunk + 1]!, chunks[chunk + 2]!];
    for (let from = chunks[chunk]!; from < below;) {
      const isWanted = wants(may, from);
      let end = from;
      while (end < below && wants(may, end) === isWanted)
        end = Math.min(below, (Math.floor(end / zoneRows) + 1) * zoneRows);
      if (isWanted) left.push(from, end, run);
      from = end;
    }
  }
  return Int32Array.from(left);
}

/** For each block, whether it may contain matching rows. */
type Blocks = Uint8Array | 'all' | 'none';

function wants(blocks: Exclude<Blocks, 'all'>, row: number): boolean {
  return blocks !== 'none' && blocks[Math.floor(row / zoneRows)] === 1;
}

/** The blocks in which a test may be true or, if `holds` is false, may be false or unknown. */
function blocksWhere(test: Test, holds: boolean, clustered: ClusteredRows): Blocks {
  switch (test.kind) {
    case 'truth': {
      const zones = clustered.zonesOf(test.bitField);
      if (!zones) return 'all';
      const before = countedBefore(test.truths, holds ? 1 : 0);
      return Uint8Array.from(zones.min, (min, block) =>
        before[zones.max[block]! + 1]! > before[min]! ? 1 : 0,
      );
    }
    case 'not':
      return blocksWhere(test.test, !holds, clustered);
    case 'all':
    case 'any': {
      const inner = test.tests.map(one => blocksWhere(one, holds, clustered));
      return (test.kind === 'all') === holds ? inner.reduce(both, 'all') : inner.reduce(either, 'none');
    }
  }
}

/** For each code, how many lower codes have this truth. */
function countedBefore(truths: Uint8Array, truth: number): Int32Array {
  const before = new Int32Array(truths.length + 1);
  for (let code = 0; code < truths.length; code++)
    before[code + 1] = before[code]! + (truths[code] === truth ? 1 : 0);
  return before;
}

function both(a: Blocks, b: Blocks): Blocks {
  if (a === 'all' || b === 'none') return b;
  if (b === 'all' || a === 'none') return a;
  return a.map((may, block) => may & b[block]!);
}

function either(a: Blocks, b: Blocks): Blocks {
  if (a === 'none' || b === 'all') return b;
  if (b === 'none' || a === 'all') return a;
  return a.map((may, block) => may | b[block]!);
}
