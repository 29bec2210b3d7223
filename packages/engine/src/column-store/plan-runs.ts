import type { ClusteredRows, Runs } from './clustered-rows.ts';
import { stepsAlong } from './roll-up.ts';
import { batchCubes, takenFor } from './batch-scans.ts';
import type { CompiledScan } from './kernel/compile-scan.ts';
import type { Move, Source } from './kernel/flush-runs.ts';
import { cellsIn, type Cube, type CubeAxis, type Scan } from './kernel/scan.ts';
import { isSameAxis } from './refine-axes.ts';

/** A pass by runs: rows that have slots in common are counted without the axes of these, into fewer and smaller cubes; at a run's end what it counted is moved to where its slots are. */
export interface RunScan {
  /** What all is counted for in the end, and rows outside of runs at once; the axes that runs have in common come last, so that what one of them counts lies together. */
  readonly whole: Scan;
  readonly runs: Runs;
  /** The axes that runs have in common. */
  readonly still: readonly CubeAxis[];
  /** What is counted within runs. */
  readonly within: Scan;
  /** For each section and cube of the whole, the one of those within runs that it is added up from. */
  readonly hosts: readonly (readonly number[])[];
}

/** What rows of one day have in common need not be found, or counted along, for each of them. @returns the pass by the runs that save most, if any do */
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
  for (let count = 1; count <= Math.min(candidates.length, mostStill); count++) {
    const still = candidates.slice(0, count).map(({ axis }) => axis);
    const runs = clustered.runsAlong(still);
    if (!runs) break;
    const planned = scanAlong(scan, still, runs);
    const saved = savedBy(planned);
    if (saved > (best?.saved ?? rows * leastSaved)) best = { planned, saved };
  }
  return best?.planned;
}

const mostStill = 4;
/** Nanoseconds of one core: to count a row into one cube more, and to move a cell's totals. */
const [updateNs, moveNs] = [1, 4];
/** Nanoseconds a row, below which it is not worth it. */
const leastSaved = 0.1;

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

/** Where what is counted within runs is moved. */
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
            const { bitField, half } = takenFor(part, host.parts);
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

/** For each cell of a host within runs the one of a whole cube that it belongs to, at the first slot of what is still. */
function cellsInto(host: Cube, { axes }: Cube, still: readonly CubeAxis[]): Int32Array {
  const steps = stepsAlong(
    host.axes,
    axes.filter(axis => !isAmong(axis, still)),
  );
  const into = new Int32Array(cellsIn(host));
  let below = 1;
  for (const along of steps) {
    // What lies along the axes before is repeated for each step of this one.
    for (let step = along.length - 1; step >= 0; step--)
      for (let cell = 0; cell < below; cell++) into[step * below + cell] = into[cell]! + along[step]!;
    below *= along.length;
  }
  return into;
}
