import type { PlannedScan } from './plan-scan.ts';
import { cellsIn, totalsOf, type Cube, type CubeAxis, type CubePart, type Scan } from './kernel/scan.ts';

/** Cubes larger than this have nothing counted into them that others asked for: their cells no longer lie near the processor. */
const mostHostCells = 2 ** 18;
/** Cubes larger than this nothing is added up from, even if they have counted it: that takes a millisecond. */
const mostFoldedCells = 2 ** 20;
/** Cubes are counted as one while it has no more cells than this: a row then has one cell to find and change, not several. */
const mostCrossedCells = 2 ** 14;

/** What is counted, in place of the cubes that are added up from it. */
interface Host {
  readonly axes: readonly CubeAxis[];
  /** What its guests ask for, each once. */
  readonly wanted: readonly CubePart[];
  readonly guests: readonly Cube[];
}

/**
 * Many questions as one pass: those under the same condition share a section, and a cube whose axes are among another's is not counted
 * on its own but added up from it (the hours of a heatmap of hours and days, the total of anything). Small cubes are crossed into one.
 */
export function gatherScans(planned: readonly PlannedScan[]): { readonly scan: Scan; readonly totalsFor: (question: number, totals: readonly (readonly (readonly Float64Array[])[])[]) => Float64Array[] } {
  const sections = [...Map.groupBy(planned, ({ testKey }) => testKey).values()].map(questions => ({ test: questions[0]!.test, hosts: crossed(hostsFor(questions.map(({ cube }) => cube))) }));
  const scan: Scan = { sections: sections.map(({ test, hosts }) => ({ ...(test && { test }), cubes: hosts.map(({ axes, wanted }) => ({ axes, parts: countedFor(wanted) })) })) };
  const places = new Map(sections.flatMap(({ hosts }, section) => hosts.flatMap(({ guests }, cube) => guests.map(guest => [guest, { section, cube }] as const))));
  return {
    scan,
    totalsFor: (question, totals) => {
      const guest = planned[question]!.cube;
      const { section, cube } = places.get(guest)!;
      const host = scan.sections[section]!.cubes[cube]!;
      return guest.parts.map(part => {
        const { place, half } = takenFor(part, host.parts);
        const all = totals[section]![cube]![place]!;
        const cells = cellsIn(host);
        return fold(half === 'counts' ? all.subarray(0, cells) : half === 'sums' ? all.subarray(cells) : all, host, guest.axes, part);
      });
    },
  };
}

/** The largest cubes, each with those that can be added up from it. */
function hostsFor(cubes: readonly Cube[]): Host[] {
  const hosts: Host[] = [];
  for (const cube of cubes.toSorted((a, b) => cellsIn(b) - cellsIn(a))) {
    const guest = { axes: cube.axes, wanted: cube.parts, guests: [cube] };
    const fitting = hosts.filter(host => isWithin(guest, host));
    const host = fitting.reduce<Host | undefined>((best, candidate) => (!best || cellsOf(candidate.axes) < cellsOf(best.axes) ? candidate : best), undefined);
    const more = joined(host ?? { axes: cube.axes, wanted: [], guests: [] }, guest);
    if (host) hosts[hosts.indexOf(host)] = more;
    else hosts.push(more);
  }
  return hosts;
}

/** Crosses hosts with one another for as long as a row has less to change for it; of equal gains the smallest cube first. */
function crossed(hosts: readonly Host[]): Host[] {
  const left = [...hosts];
  for (;;) {
    let best: { readonly a: Host; readonly b: Host; readonly both: Host; readonly saved: number; readonly cells: number } | undefined;
    for (const [i, a] of left.entries()) {
      for (const b of left.slice(i + 1)) {
        const both = joined(a, b);
        const cells = cellsOf(both.axes);
        if (cells > mostCrossedCells) continue;
        const saved = countedFor(a.wanted).length + countedFor(b.wanted).length - countedFor(both.wanted).length;
        if (saved > 0 && (!best || saved > best.saved || (saved === best.saved && cells < best.cells))) best = { a, b, both, saved, cells };
      }
    }
    if (!best) return left;
    const { a, b, both } = best;
    left[left.indexOf(a)] = both;
    left.splice(left.indexOf(b), 1);
  }
}

function joined(a: Host, b: Host): Host {
  return {
    axes: [...a.axes, ...b.axes.filter(axis => !a.axes.some(other => isSameAxis(axis, other)))],
    wanted: [...a.wanted, ...b.wanted.filter((part, i) => ![...a.wanted, ...b.wanted.slice(0, i)].some(other => isSamePart(part, other)))],
    guests: [...a.guests, ...b.guests],
  };
}

/** The fewest parts that all of these can be had from: rows need no counting where a tally does, and with marked ones they are a tally. */
function countedFor(wanted: readonly CubePart[]): readonly CubePart[] {
  const isPlain = (part: CubePart) => part.kind === 'count' && !part.of;
  if (!wanted.some(isPlain)) return wanted;
  if (wanted.some(countsEveryRow)) return wanted.filter(part => !isPlain(part));
  const marked = wanted.findIndex(part => part.kind === 'count' && part.of);
  return marked < 0 ? wanted : wanted.with(marked, tallyOf(wanted[marked] as CubePart & { kind: 'count' })).filter(part => !isPlain(part));
}

function takenFor(part: CubePart, counted: readonly CubePart[]): { readonly place: number; readonly half?: 'counts' | 'sums' } {
  const same = counted.findIndex(other => isSamePart(part, other));
  if (same >= 0) return { place: same };
  if (part.kind === 'count' && part.of) return { place: counted.findIndex(other => isSamePart(tallyOf(part), other)), half: 'sums' };
  return { place: counted.findIndex(countsEveryRow), half: 'counts' };
}

const countsEveryRow = (part: CubePart) => part.kind === 'tally' && !part.truths.includes(0);

/** Marks as a tally's numbers: the same ones are the same object. */
const asNumbers = new WeakMap<Uint8Array, { readonly truths: Uint8Array; readonly numbers: Float64Array }>();

/** Every row counted, and of these the marked ones. */
function tallyOf({ of }: CubePart & { kind: 'count' }): CubePart {
  const { place, truths: marks } = of!;
  const known = asNumbers.get(marks) ?? { truths: new Uint8Array(marks.length).fill(1), numbers: Float64Array.from(marks) };
  asNumbers.set(marks, known);
  return { kind: 'tally', place, ...known };
}

const cellsOf = (axes: readonly CubeAxis[]) => cellsIn({ axes, parts: [] });

function isWithin(guest: Host, host: Host): boolean {
  if (!guest.axes.every(axis => host.axes.some(other => isSameAxis(axis, other)))) return false;
  const cells = cellsOf(host.axes);
  if (guest.axes.length === host.axes.length || cells <= mostHostCells) return true;
  const [before, after] = [countedFor(host.wanted), countedFor(joined(host, guest).wanted)];
  return cells <= mostFoldedCells && after.length === before.length && after.every((part, p) => isSamePart(part, before[p]!));
}

/** Look-ups are made once for each field and axis, so that the same ones are the same object. */
function isSameAxis(a: CubeAxis, b: CubeAxis): boolean {
  return a.slots === b.slots && a.place === b.place;
}

function isSamePart(a: CubePart, b: CubePart): boolean {
  if (a.kind === 'count' || b.kind === 'count') return a.kind === b.kind && isSameMark(a.kind === 'count' ? a.of : undefined, b.kind === 'count' ? b.of : undefined);
  if (a.kind !== b.kind || a.place !== b.place || a.numbers !== b.numbers) return false;
  if (a.kind === 'sum' && b.kind === 'sum') return isSameMark(a.where, b.where);
  return a.kind !== 'tally' || b.kind !== 'tally' || a.truths === b.truths;
}

function isSameMark(a: { readonly place: object; readonly truths: object } | undefined, b: { readonly place: object; readonly truths: object } | undefined): boolean {
  return a?.place === b?.place && a?.truths === b?.truths;
}

/** Totals along some of a cube's axes, added up over the others. @param part what they are totals of, as its asker has it */
function fold(totals: Float64Array, host: Cube, axes: readonly CubeAxis[], part: CubePart): Float64Array {
  const isWhole = axes.length === host.axes.length && axes.every((axis, i) => isSameAxis(axis, host.axes[i]!));
  if (isWhole) return totals;
  // The same axis may be asked for twice, as by a heatmap of hours by hours: one step along it is a step along both.
  const strides = host.axes.map((axis, h) => {
    if (host.axes.slice(0, h).some(earlier => isSameAxis(axis, earlier))) return 0;
    return axes.reduce(({ sum, stride }, other) => ({ sum: sum + (isSameAxis(axis, other) ? stride : 0), stride: stride * other.count }), { sum: 0, stride: 1 }).sum;
  });
  const guest = axes.reduce((product, axis) => product * axis.count, 1);
  const hosted = cellsIn(host);
  const folded = new Float64Array(guest * totalsOf(part)).fill(part.kind === 'min' ? Infinity : part.kind === 'max' ? -Infinity : 0);
  const [run, step] = [host.axes[0]?.count ?? 1, strides[0] ?? 0];
  const digits = host.axes.map(() => 0);
  for (let cell = 0, into = 0; cell < hosted; cell += run) {
    for (let half = 0; half < totalsOf(part); half++) foldRun(part.kind, totals, half * hosted + cell, run, folded, half * guest + into, step);
    // The next run's digits, and with them its place among the guest's.
    for (let d = 1; d < digits.length; d++) {
      digits[d] = digits[d]! + 1;
      into += strides[d]!;
      if (digits[d]! < host.axes[d]!.count) break;
      into -= strides[d]! * host.axes[d]!.count;
      digits[d] = 0;
    }
  }
  return folded;
}

/** Cells along the host's first axis, which lie one after another; in the guest they are a step apart, or one and the same. */
function foldRun(kind: CubePart['kind'], totals: Float64Array, cell: number, run: number, folded: Float64Array, into: number, step: number): void {
  const end = cell + run;
  if (kind === 'min') for (; cell < end; cell++, into += step) folded[into] = Math.min(folded[into]!, totals[cell]!);
  else if (kind === 'max') for (; cell < end; cell++, into += step) folded[into] = Math.max(folded[into]!, totals[cell]!);
  else for (; cell < end; cell++, into += step) folded[into] = folded[into]! + totals[cell]!;
}
