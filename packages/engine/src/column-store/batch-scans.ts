import { rollUpTotals } from './roll-up.ts';
import { cellsIn, type Cube, type CubeAxis, type CubePart, type Scan } from './kernel/scan.ts';
import type { PlannedScan } from './plan-scan.ts';
import { coarserSlots, finestOf } from './refine-axes.ts';

/** Cubes larger than this have nothing counted into them that others asked for: their cells no longer lie near the processor. */
const mostHostCells = 2 ** 18;
/** Cubes are counted as one while it has no more cells than this: a row then has one cell to find and change, not several. */
const mostCrossedCells = 2 ** 14;
/** Larger ones, too, if they become hardly more: so many times as many as they are apart. */
const mostCrossedTimes = 2;
/** Nothing is added up from more cells than this, */
const mostFoldedCells = 2 ** 20;
/** or where each stands for fewer rows: laying it out and adding it up takes as long as counting some ten rows into one cube more. */
const leastRowsACell = 16;

/** What is counted, in place of the cubes that are added up from it. */
interface Host {
  readonly axes: readonly CubeAxis[];
  /** What its guests ask for, each once. */
  readonly wanted: readonly CubePart[];
  readonly guests: readonly Cube[];
}

/** Many questions as one pass: those under the same condition share a section. `totalsFor` reads a question's totals out of those of the pass, whatever order its cubes' axes were counted in. */
export function batchScans(
  planned: readonly PlannedScan[],
  rows: number,
): {
  readonly scan: Scan;
  readonly totalsFor: (
    question: number,
    counted: Scan,
    totals: readonly (readonly (readonly Float64Array[])[])[],
  ) => Float64Array[];
} {
  const sections = [...Map.groupBy(planned, ({ testKey }) => testKey).values()].map(questions => ({
    test: questions[0]!.test,
    gathered: batchCubes(
      questions.map(({ cube }) => cube),
      rows,
    ),
  }));
  const scan: Scan = {
    sections: sections.map(({ test, gathered }) => ({ ...(test && { test }), cubes: gathered.cubes })),
  };
  const bitFields = new Map(
    sections.flatMap(({ gathered }, section) =>
      [...gathered.hostOf].map(([cube, host]) => [cube, { section, cube: host }] as const),
    ),
  );
  return {
    scan,
    totalsFor: (question, counted, totals) => {
      const guest = planned[question]!.cube;
      const { section, cube } = bitFields.get(guest)!;
      const host = counted.sections[section]!.cubes[cube]!;
      return guest.parts.map(part => {
        const { bitField, half } = takenFor(part, host.parts);
        const all = totals[section]![cube]![bitField]!;
        const cells = cellsIn(host);
        return rollUpTotals(
          half === 'counts' ? all.subarray(0, cells) : half === 'sums' ? all.subarray(cells) : all,
          host,
          guest.axes,
          part,
        );
      });
    },
  };
}

interface GatheredCubes {
  readonly cubes: readonly Cube[];
  /** For each cube that is asked for, which of these it is added up from. */
  readonly hostOf: ReadonlyMap<Cube, number>;
}

/**
 * Cubes of the same rows as fewer: one whose axes are among another's, or lie over them, is not counted on its own but added up from it (the
 * hours of a heatmap of hours and days, weeks from days, the total of anything). Small cubes are crossed into one. @param rows that are counted
 */
export function batchCubes(asked: readonly Cube[], rows: number): GatheredCubes {
  const mostCells = Math.min(mostFoldedCells, rows / leastRowsACell);
  const hosts = inOrder(crossed(hostsFor(asked, mostCells), mostCells));
  return {
    cubes: hosts.map(({ axes, wanted }) => ({ axes, parts: countedFor(wanted) })),
    hostOf: new Map(hosts.flatMap(({ guests }, host) => guests.map(guest => [guest, host] as const))),
  };
}

/** The largest cubes, each with those that can be added up from it. */
function hostsFor(cubes: readonly Cube[], mostCells: number): Host[] {
  const hosts: Host[] = [];
  const guests = cubes.map(cube => ({ axes: finestOf(cube.axes), wanted: cube.parts, guests: [cube] }));
  for (const guest of guests.toSorted((a, b) => cellsOf(b.axes) - cellsOf(a.axes))) {
    // Best is one that counts it anyway, then one of few cells.
    const [host] = hosts
      .filter(candidate => isWithin(guest, candidate, mostCells))
      .toSorted((a, b) => addedBy(guest, a) - addedBy(guest, b) || cellsOf(a.axes) - cellsOf(b.axes));
    const more = joined(host ?? { axes: guest.axes, wanted: [], guests: [] }, guest);
    if (host) hosts[hosts.indexOf(host)] = more;
    else hosts.push(more);
  }
  return hosts;
}

/** How many more parts a host has to count for a guest. */
function addedBy(guest: Host, host: Host): number {
  return countedFor(joined(host, guest).wanted).length - countedFor(host.wanted).length;
}

/** Crosses hosts with one another for as long as a row has less to change for it; of equal gains the smallest cube first. */
function crossed(hosts: readonly Host[], mostCells: number): Host[] {
  const left = [...hosts];
  for (;;) {
    let best:
      | {
          readonly a: Host;
          readonly b: Host;
          readonly both: Host;
          readonly saved: number;
          readonly cells: number;
        }
      | undefined;
    for (const [i, a] of left.entries()) {
      for (const b of left.slice(i + 1)) {
        const both = joined(a, b);
        const cells = cellsOf(both.axes);
        if (
          cells > mostCells ||
          (cells > mostCrossedCells && cells > mostCrossedTimes * (cellsOf(a.axes) + cellsOf(b.axes)))
        )
          continue;
        const saved =
          countedFor(a.wanted).length + countedFor(b.wanted).length - countedFor(both.wanted).length;
        if (saved > 0 && (!best || saved > best.saved || (saved === best.saved && cells < best.cells)))
          best = { a, b, both, saved, cells };
      }
    }
    if (!best) return left;
    const { a, b, both } = best;
    left[left.indexOf(a)] = both;
    left.splice(left.indexOf(b), 1);
  }
}

/** What only counts rows before what adds numbers up, and of that the largest last: of a dozen orders tried this takes least, by a twentieth. */
function inOrder(hosts: readonly Host[]): Host[] {
  const onlyCounts = ({ wanted }: Host) => countedFor(wanted).every(({ kind }) => kind === 'count');
  const bySize = (a: Host, b: Host) => cellsOf(a.axes) - cellsOf(b.axes);
  return [
    ...hosts.filter(onlyCounts).toSorted((a, b) => bySize(b, a)),
    ...hosts.filter(host => !onlyCounts(host)).toSorted(bySize),
  ];
}

function joined(a: Host, b: Host): Host {
  return {
    axes: finestOf([...a.axes, ...b.axes]),
    wanted: [
      ...a.wanted,
      ...b.wanted.filter(
        (part, i) => ![...a.wanted, ...b.wanted.slice(0, i)].some(other => isSamePart(part, other)),
      ),
    ],
    guests: [...a.guests, ...b.guests],
  };
}

/** The fewest parts that all of these can be had from: rows need no counting where a tally does, and with marked ones they are a tally. */
function countedFor(wanted: readonly CubePart[]): readonly CubePart[] {
  const isPlain = (part: CubePart) => part.kind === 'count' && !part.of;
  if (!wanted.some(isPlain)) return wanted;
  if (wanted.some(countsEveryRow)) return wanted.filter(part => !isPlain(part));
  const marked = wanted.findIndex(part => part.kind === 'count' && part.of);
  return marked < 0
    ? wanted
    : wanted
        .with(marked, tallyOf(wanted[marked] as CubePart & { kind: 'count' }))
        .filter(part => !isPlain(part));
}

/** Which of a cube's parts this one is had from, and which half of it. */
export function takenFor(
  part: CubePart,
  counted: readonly CubePart[],
): { readonly bitField: number; readonly half?: 'counts' | 'sums' } {
  const same = counted.findIndex(other => isSamePart(part, other));
  if (same >= 0) return { bitField: same };
  if (part.kind === 'count' && part.of)
    return { bitField: counted.findIndex(other => isSamePart(tallyOf(part), other)), half: 'sums' };
  return { bitField: counted.findIndex(countsEveryRow), half: 'counts' };
}

const countsEveryRow = (part: CubePart) => part.kind === 'tally' && !part.truths.includes(0);

/** Marks as a tally's numbers: the same ones are the same object. */
const asNumbers = new WeakMap<Uint8Array, { readonly truths: Uint8Array; readonly numbers: Float64Array }>();

/** Every row counted, and of these the marked ones. */
function tallyOf({ of }: CubePart & { kind: 'count' }): CubePart {
  const { bitField, truths: marks } = of!;
  const known = asNumbers.get(marks) ?? {
    truths: new Uint8Array(marks.length).fill(1),
    numbers: Float64Array.from(marks),
  };
  asNumbers.set(marks, known);
  return { kind: 'tally', bitField, ...known };
}

const cellsOf = (axes: readonly CubeAxis[]) => cellsIn({ axes, parts: [] });

function isWithin(guest: Host, host: Host, mostCells: number): boolean {
  if (!guest.axes.every(axis => host.axes.some(other => coarserSlots(other, axis)))) return false;
  const cells = cellsOf(host.axes);
  if (cells === cellsOf(guest.axes)) return true;
  if (cells > mostCells) return false;
  if (cells <= mostHostCells) return true;
  const [before, after] = [countedFor(host.wanted), countedFor(joined(host, guest).wanted)];
  return after.length === before.length && after.every((part, p) => isSamePart(part, before[p]!));
}

function isSamePart(a: CubePart, b: CubePart): boolean {
  if (a.kind === 'count' || b.kind === 'count')
    return (
      a.kind === b.kind &&
      isSameMark(a.kind === 'count' ? a.of : undefined, b.kind === 'count' ? b.of : undefined)
    );
  if (a.kind !== b.kind || a.bitField !== b.bitField || a.numbers !== b.numbers) return false;
  if (a.kind === 'sum' && b.kind === 'sum') return isSameMark(a.where, b.where);
  return a.kind !== 'tally' || b.kind !== 'tally' || a.truths === b.truths;
}

function isSameMark(
  a: { readonly bitField: object; readonly truths: object } | undefined,
  b: { readonly bitField: object; readonly truths: object } | undefined,
): boolean {
  return a?.bitField === b?.bitField && a?.truths === b?.truths;
}
