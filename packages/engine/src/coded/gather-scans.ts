import type { PlannedScan } from './plan-scan.ts';
import { cellsIn, totalsOf, type Cube, type CubeAxis, type CubePart, type Scan } from './kernel/scan.ts';

/** Cubes larger than this are not counted in place of smaller ones: their cells no longer lie near the processor. */
const mostHostCells = 2 ** 18;

interface TakenPart {
  readonly part: number;
  /** Of a tally's two totals only the counts. */
  readonly isCountOnly?: boolean;
}

interface Host {
  readonly axes: readonly CubeAxis[];
  readonly parts: CubePart[];
}

/**
 * Many questions as one pass: those under the same condition share a section, and a cube whose axes are among another's is not counted
 * on its own but added up from it (the hours of a heatmap of hours and days, the total of anything).
 */
export function gatherScans(planned: readonly PlannedScan[]): { readonly scan: Scan; readonly totalsFor: (question: number, totals: readonly (readonly (readonly Float64Array[])[])[]) => Float64Array[] } {
  const sections = new Map<string, { test: PlannedScan['test']; hosts: Host[] }>();
  const taken: { section: number; cube: number; parts: TakenPart[] }[] = [];
  const largestFirst = planned.map((question, i) => ({ question, i })).toSorted((a, b) => cellsIn(b.question.cube) - cellsIn(a.question.cube));
  for (const { question, i } of largestFirst) {
    const { cube, test, testKey } = question;
    const section = sections.get(testKey) ?? { test, hosts: [] };
    sections.set(testKey, section);
    const fitting = section.hosts.filter(host => isWithin(cube, host));
    const host = fitting.reduce<Host | undefined>((best, candidate) => (!best || cellsIn(candidate) < cellsIn(best) ? candidate : best), undefined) ?? { axes: cube.axes, parts: [] };
    if (!section.hosts.includes(host)) section.hosts.push(host);
    // Tallies first: where one has counted every row, a count has nothing left to do.
    const parts: TakenPart[] = [];
    for (const p of cube.parts.map((_, p) => p).toSorted((a, b) => Number(cube.parts[b]!.kind === 'tally') - Number(cube.parts[a]!.kind === 'tally'))) {
      const part = cube.parts[p]!;
      const same = host.parts.findIndex(other => isSamePart(part, other));
      const counting = part.kind === 'count' && !part.of ? host.parts.findIndex(other => other.kind === 'tally' && !other.truths.includes(0)) : -1;
      parts[p] = same >= 0 ? { part: same } : counting >= 0 ? { part: counting, isCountOnly: true } : { part: host.parts.push(part) - 1 };
    }
    taken[i] = { section: [...sections.keys()].indexOf(testKey), cube: section.hosts.indexOf(host), parts };
  }
  const scan: Scan = { sections: [...sections.values()].map(({ test, hosts }) => ({ ...(test && { test }), cubes: hosts })) };
  return {
    scan,
    totalsFor: (question, totals) => {
      const { section, cube, parts } = taken[question]!;
      const host = scan.sections[section]!.cubes[cube]!;
      return parts.map(({ part, isCountOnly }) => {
        const all = totals[section]![cube]![part]!;
        return fold(isCountOnly ? all.subarray(0, cellsIn(host)) : all, host, planned[question]!.cube.axes, isCountOnly ? { kind: 'count' } : host.parts[part]!);
      });
    },
  };
}

function isWithin(cube: Cube, host: Host): boolean {
  const isSame = cube.axes.length === host.axes.length;
  return (isSame || cellsIn(host) <= mostHostCells) && cube.axes.every(axis => host.axes.some(other => isSameAxis(axis, other)));
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

/** Totals along some of a cube's axes, added up over the others. */
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
  const merge = part.kind === 'min' || part.kind === 'max' ? Math[part.kind] : (a: number, b: number) => a + b;
  const folded = new Float64Array(guest * totalsOf(part)).fill(part.kind === 'min' ? Infinity : part.kind === 'max' ? -Infinity : 0);
  const digits = host.axes.map(() => 0);
  for (let cell = 0, into = 0; cell < hosted; cell++) {
    for (let half = 0; half < totalsOf(part); half++) folded[half * guest + into] = merge(folded[half * guest + into]!, totals[half * hosted + cell]!);
    // The next cell's digits, and with them its place among the guest's.
    for (let d = 0; d < digits.length; d++) {
      digits[d] = digits[d]! + 1;
      into += strides[d]!;
      if (digits[d]! < host.axes[d]!.count) break;
      into -= strides[d]! * host.axes[d]!.count;
      digits[d] = 0;
    }
  }
  return folded;
}
