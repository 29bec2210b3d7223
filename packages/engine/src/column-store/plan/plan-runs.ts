import type { ClusteredRows, Runs } from '../scan/clustered-rows.ts';
import { stepsAlong } from './roll-up.ts';
import { batchCubes, sharedBy } from './batch-scans.ts';
import type { CompiledScan } from '../kernel/compile-scan.ts';
import type { Move, Source } from '../kernel/flush-runs.ts';
import { cellsIn, type Cube, type CubeAxis, type Scan } from '../kernel/scan.ts';
import { isSameAxis } from './refine-axes.ts';

/**
 * A pass that counts by runs, i.e. row ranges with common slots. Within a run, the kernel omits the common
 * axes and counts into fewer and smaller cubes. At the end of each run, its counts are added to the full
 * cubes at the run's slots.
 */
export interface RunScan {
  /**
   * The full cubes, which also count the rows outside of runs. The common axes come last, so that the cells
   * of one run are adjacent.
   */
  readonly whole: Scan;
  readonly runs: Runs;
  /** The axes whose slots are constant within a run. */
  readonly still: readonly CubeAxis[];
  /** The cubes counted within runs. */
  readonly within: Scan;
  /** For each section and cube of the whole, the index of the cube within runs that it is rolled up from. */
  readonly hosts: readonly (readonly number[])[];
}

/**
 * Plans the use of runs: rows of one day, for example, share their day slot, which is then not looked up per
 * row.
 * @returns the pass with the runs that save most; undefined if none saves enough
 */
export function planRuns(scan: Scan, rows: number, clustered: ClusteredRows): RunScan | undefined {
  const axes = scan.sections
    .flatMap(({ cubes }) => cubes.flatMap(cube => cube.axes))
    .filter((axis, i, all) => all.findIndex(other => isSameAxis(axis, other)) === i);
  const candidates = axes
    .flatMap(axis => {
      const runs = clustered.runsAlong([axis]);
      return runs ? [{ axis, runs }] : [];
    })
    .toSorted((a, b) => a.runs.count - b.runs.count);
  let best: { readonly planned: RunScan; readonly saved: number } | undefined;
  for (let count = 1; count <= Math.min(candidates.length, maxStill); count++) {
    const still = candidates.slice(0, count).map(({ axis }) => axis);
    const runs = clustered.runsAlong(still);
    if (!runs) break;
    const planned = scanAlong(scan, still, runs);
    const saved = savedBy(planned);
    if (saved > (best?.saved ?? rows * minSaved)) best = { planned, saved };
  }
  return best?.planned;
}

const maxStill = 4;
/** Nanoseconds of one core: to count a row into one more cube, and to move the totals of a cell. */
const [updateNs, moveNs] = [1, 4];
/** The smallest saving that is worthwhile, in nanoseconds per row. */
const minSaved = 0.1;

const isAmong = (axis: CubeAxis, axes: readonly CubeAxis[]) => axes.some(other => isSameAxis(axis, other));

function scanAlong(scan: Scan, still: readonly CubeAxis[], runs: Runs): RunScan {
  const sections = scan.sections.map(({ test, cubes }) => {
    const moving = cubes.map((cube): Cube => ({
      axes: cube.axes.filter(axis => !isAmong(axis, still)),
      parts: cube.parts,
    }));
    const { cubes: counted, hostOf } = batchCubes(moving, runs.rows / runs.count);
    const whole = cubes.map((cube, c): Cube => ({
      axes: [...moving[c]!.axes, ...cube.axes.filter(axis => isAmong(axis, still))],
      parts: cube.parts,
    }));
    const condition = test && { test };
    return {
      whole: { ...condition, cubes: whole },
      within: { ...condition, cubes: counted },
      hosts: moving.map(cube => hostOf.get(cube)!),
    };
  });
  return {
    runs,
    still,
    whole: { sections: sections.map(({ whole }) => whole) },
    within: { sections: sections.map(({ within }) => within) },
    hosts: sections.map(({ hosts }) => hosts),
  };
}

function savedBy({ whole, within, hosts, runs, still }: RunScan): number {
  const updates = ({ sections }: Scan) =>
    sections.reduce((sum, { cubes }) => sum + cubes.reduce((parts, cube) => parts + cube.parts.length, 0), 0);
  const moved = within.sections.reduce(
    (sum, { cubes }, s) =>
      sum +
      cubes.reduce(
        (cells, cube, c) =>
          cells +
          (whole.sections[s]!.cubes.some(
            ({ axes }, w) => hosts[s]![w] === c && axes.some(axis => isAmong(axis, still)),
          )
            ? cellsIn(cube) * cube.parts.length
            : 0),
        0,
      ),
    0,
  );
  return (updates(whole) - updates(within)) * updateNs * runs.rows - runs.count * moved * moveNs;
}

/** The destinations of the totals that are counted within runs. */
export function sourcesOf(
  { whole, within, hosts, still }: RunScan,
  into: CompiledScan,
  from: CompiledScan,
): Source[] {
  return within.sections.flatMap(({ cubes }, s) =>
    cubes.flatMap((host, h) => {
      const guests = whole.sections[s]!.cubes.flatMap((cube, c) =>
        hosts[s]![c] === h
          ? [
              {
                cube,
                totals: into.layout.totals[s]![c]!,
                strides: stridesOf(cube, still),
                cells: cellsInto(host, cube, still),
              },
            ]
          : [],
      );
      return host.parts.map((_, p): Source => {
        const moves = guests.flatMap(({ cube, totals, strides, cells }) =>
          cube.parts.flatMap((part, w): Move[] => {
            const { bitField, half } = sharedBy(part, host.parts);
            return bitField === p ? [{ to: totals[w]!, into: cells, strides, ...(half && { half }) }] : [];
          }),
        );
        const isStill = ({ strides }: Move) => strides.some(stride => stride > 0);
        return {
          from: from.layout.totals[s]![h]![p]!,
          atEachEnd: moves.filter(isStill),
          atTheEnd: moves.filter(move => !isStill(move)),
        };
      });
    }),
  );
}

function stridesOf({ axes }: Cube, still: readonly CubeAxis[]): number[] {
  return still.map(axis => {
    let [stride, along] = [1, 0];
    for (const own of axes) {
      if (isSameAxis(own, axis)) along += stride;
      stride *= own.count;
    }
    return along;
  });
}

/** For each cell of a cube within runs, the cell of the full cube at slot 0 of the common axes. */
function cellsInto(host: Cube, { axes }: Cube, still: readonly CubeAxis[]): Int32Array {
  const steps = stepsAlong(
    host.axes,
    axes.filter(axis => !isAmong(axis, still)),
  );
  const into = new Int32Array(cellsIn(host));
  let below = 1;
  for (const along of steps) {
    // Repeat the cells of the previous axes for each step of this axis.
    for (let step = along.length - 1; step >= 0; step--)
      for (let cell = 0; cell < below; cell++) into[step * below + cell] = into[cell]! + along[step]!;
    below *= along.length;
  }
  return into;
}
