import { edgesOf, edgeOf, slotsOf, type Axis, type Box } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { areasNear, brushAxis, coarserAxis, conditionFor, areasOnAxes, slotRuns } from './brush-axis.ts';
import { buildIndex, sliceIndex } from './index/brush-index.ts';
import { canIndex, fittingBrush, indexLimits } from './index/can-index.ts';
import { IndexStore } from './index/index-store.ts';
import { planUpdate } from './plan-update.ts';
import { selectedSlots } from './selected-slots.ts';
import { selectionIn } from './selection-in.ts';
import { clear, select, toggle, listeningIn, selectionsFor } from './selections.ts';

const bins = (count: number): Axis => ({ kind: 'bins', field: 'x', origin: 0, step: 10, count });
const kinds: Axis = { kind: 'categories', field: 'k', values: ['a', 'b', null], other: true };

test('brushes in two panels add up', () => {
  const g: Axis = { kind: 'categories', field: 'g', values: ['A'], other: false };
  const index = buildIndex(
    { brush: [bins(3), kinds], axes: [g], merges: ['sum'] },
    {
      groups: Int32Array.from({ length: 20 }, (_, i) => i),
      parts: [Float64Array.from({ length: 20 }, (_, i) => 2 ** i)],
    },
  );
  const out = [new Float64Array(1)];
  sliceIndex(
    index,
    [
      [[[0, 2]], [[0, 1]]],
      [[[1, 3]], [[1, 2]]],
    ],
    out,
  );
  expect(out[0]![0]).toBe(2 ** 0 + 2 ** 4 + 2 ** 5 + 2 ** 9);
});

describe('an index over one axis', () => {
  //                  group A  B
  const perStep = [
    [1, 10],
    [2, 20],
    [4, 40],
    /* null */ [8, 80],
    /* outside */ [16, 160],
  ];
  const cells = {
    groups: Int32Array.from(perStep.flatMap((_, step) => [step * 2, step * 2 + 1])),
    parts: [Float64Array.from(perStep.flat())],
  };
  const two: Axis = { kind: 'categories', field: 'g', values: ['A', 'B'], other: false };
  const index = buildIndex({ brush: [bins(3)], axes: [two], merges: ['sum'] }, cells);
  const slice = (...runs: [number, number][]) => {
    const out = [new Float64Array(2)];
    sliceIndex(index, [[runs]], out);
    return [...out[0]!];
  };

  test('sums the brushed steps, leaving out the last edge', () => {
    expect(slice([1, 3])).toEqual([6, 60]);
  });
  test('leaves out null values and values outside', () => {
    expect(slice([0, 3])).toEqual([7, 70]);
  });
  test('sums separate runs', () => {
    expect(slice([0, 1], [2, 3])).toEqual([5, 50]);
  });
  test('equals the sum over the steps, for every brush', () => {
    for (let from = 0; from <= 5; from++) {
      for (let below = from; below <= 5; below++) {
        expect(slice([from, below])).toEqual(
          [0, 1].map(group => perStep.slice(from, below).reduce((sum, step) => sum + step[group]!, 0)),
        );
      }
    }
  });
  test('compares the steps for minimum and maximum', () => {
    const extremes = buildIndex(
      { brush: [bins(3)], axes: [two], merges: ['min', 'max'] },
      { groups: Int32Array.of(0, 2, 3), parts: [Float64Array.of(5, 3, 9), Float64Array.of(5, 3, 9)] },
    );
    const out = [new Float64Array(2), new Float64Array(2)];
    sliceIndex(extremes, [[[[0, 2]]]], out);
    expect(out.map(part => [...part])).toEqual([
      [3, 9],
      [5, 9],
    ]);
    sliceIndex(extremes, [[[[2, 3]]]], out);
    expect(out[0]!.every(Number.isNaN)).toBe(true);
  });
});

test('a time series brushed along its own axis keeps the values inside, medians too, and needs no memory for crossing', () => {
  const days: Axis = { kind: 'times', field: 't', unit: 'day', from: 0, count: 1461 };
  const two: Axis = { kind: 'categories', field: 'g', values: ['A', 'B'], other: false };
  const [slots, merges] = [1463, ['sum', 'min', 'none'] as const];
  for (const [axes, at] of [
    [[days], (day: number) => [day]],
    [[days, two], (day: number) => [day * 2, day * 2 + 1]],
    [[two, days], (day: number) => [day, slots + day]],
  ] as const) {
    expect(canIndex({ brush: [days], axes, merges })).toBe('yes');
    const groups = axes.length * slots;
    const values = Float64Array.from({ length: groups }, (_, i) => (i * 7919) % 101);
    const index = buildIndex(
      { brush: [days], axes, merges },
      { groups: Int32Array.from(values, (_, i) => i), parts: merges.map(() => values) },
    );
    expect(index.bytes).toBe(groups * 8 * merges.length);
    const out = merges.map(() => new Float64Array(groups));
    sliceIndex(
      index,
      [
        [
          [
            [3, 5],
            [100, 101],
          ],
        ],
      ],
      out,
    );
    const kept = new Set([3, 4, 100].flatMap(day => [...at(day)]));
    for (const [i, merge] of merges.entries())
      expect([...out[i]!]).toEqual(
        Array.from(values, (value, group) => (kept.has(group) ? value : merge === 'sum' ? 0 : Number.NaN)),
      );
  }
  // Another grain, or two axes at once, is another matter.
  expect(canIndex({ brush: [{ ...days, unit: 'week' }], axes: [days, two], merges: ['sum'] })).toBe(
    'too-large',
  );
  expect(canIndex({ brush: [days, two], axes: [days], merges: ['none'] })).toBe('does-not-add-up');
});

test.each([[[7]], [[5, 4]], [[4, 3, 3]], [[3, 2, 3, 2]]])(
  'an index over axes of %j steps equals the sum over the cells, for every box',
  steps => {
    const groups = 3;
    const count = steps.reduce((product, size) => product * size, groups);
    const values = Float64Array.from({ length: count }, (_, i) => (i * 7919) % 101);
    const axis = (field: string, size: number): Axis => ({
      kind: 'categories',
      field,
      values: Array.from({ length: size }, (_, i) => i),
      other: false,
    });
    const brush = steps.map((size, i) => axis(`b${i}`, size));
    expect(canIndex({ brush, axes: [axis('g', groups)], merges: ['sum'] })).toBe('yes');
    const index = buildIndex(
      { brush, axes: [axis('g', groups)], merges: ['sum'] },
      { groups: Int32Array.from(values, (_, i) => i), parts: [values] },
    );
    const out = [new Float64Array(groups)];
    const runs = (size: number) =>
      Array.from({ length: size + 1 }, (_, from) =>
        Array.from({ length: size - from + 1 }, (__, wide) => [from, from + wide] as const),
      ).flat();
    const boxes = steps.reduce<(readonly [number, number])[][]>(
      (all, size) => all.flatMap(box => runs(size).map(run => [...box, run])),
      [[]],
    );
    const plain = (box: readonly (readonly [number, number])[]) =>
      Array.from({ length: groups }, (_, group) => {
        const isWithin = (i: number) => {
          let rest = Math.floor(i / groups);
          return (
            i % groups === group &&
            steps.toReversed().every((size, back) => {
              const [from, below] = box[steps.length - 1 - back]!;
              const step = rest % size;
              rest = Math.floor(rest / size);
              return step >= from && step < below;
            })
          );
        };
        return values.reduce((sum, value, i) => (isWithin(i) ? sum + value : sum), 0);
      });
    for (const box of boxes.filter((_, i) => boxes.length < 500 || i % 11 === 0)) {
      sliceIndex(index, [box.map(run => [run])], out);
      expect([...out[0]!]).toEqual(plain(box));
    }
  },
);

describe('a brush', () => {
  test.each([
    [{ kind: 'bins', field: 'x', origin: 0, step: 10, count: 24 } as Axis, 'integer', 1, 240],
    [{ kind: 'bins', field: 'x', origin: 0, step: 5, count: 36 } as Axis, 'integer', 1, 180],
    [{ kind: 'bins', field: 'x', origin: 0, step: 1, count: 100 } as Axis, 'integer', 1, 100],
    [{ kind: 'bins', field: 'x', origin: 0, step: 0.5, count: 20 } as Axis, 'number', 0.025, 400],
  ] as const)('snaps to whole parts of a bar: %j', (axis, type, step, count) => {
    expect(brushAxis(axis, type)).toMatchObject({ step, count });
  });

  test('on months snaps to days, also on a date column', () => {
    expect(
      brushAxis({ kind: 'times', field: 't', unit: 'month', from: Date.UTC(2024, 0, 1), count: 3 }, 'time'),
    ).toMatchObject({ unit: 'day', count: 91 });
    expect(brushAxis({ kind: 'times', field: 't', unit: 'day', from: 0, count: 10 }, 'date')).toMatchObject({
      unit: 'day',
    });
  });

  test.each([
    [bins(5), 1, 3, { from: 10, below: 30 }],
    [kinds, 1, 3, { oneOf: ['b', null] }],
    [
      { kind: 'times', field: 't', unit: 'day', from: Date.UTC(2024, 1, 28), count: 5 } as Axis,
      1,
      2,
      { from: '2024-02-29', below: '2024-03-01' },
    ],
  ] as const)(
    'over %j from %d to %d filters by %j, and maps back to the same position',
    (axis, from, below, condition) => {
      expect(conditionFor(axis, from, below)).toEqual(condition);
      expect(slotRuns(axis, condition as never)).toEqual([[from, below]]);
    },
  );

  test('off the steps cannot be sliced', () => {
    expect(slotRuns(bins(5), { from: 12, below: 30 })).toBeUndefined();
    expect(slotRuns(bins(5), { from: 10 })).toBeUndefined();
    expect(slotRuns(kinds, { oneOf: ['elsewhere'] })).toBeUndefined();
  });

  test('of several boxes on one axis joins them; on several axes they must not overlap', () => {
    const boxes: Box[] = [
      { x: { from: 0, below: 20 } },
      { x: { from: 10, below: 30 } },
      { x: { from: 40, below: 50 } },
    ];
    expect(areasOnAxes([bins(5)], boxes)).toEqual([
      [
        [
          [0, 3],
          [4, 5],
        ],
      ],
    ]);
    expect(areasOnAxes([bins(5), kinds], boxes)).toBeUndefined();
    expect(
      areasOnAxes(
        [bins(5), kinds],
        [
          { x: { from: 0, below: 20 }, k: { oneOf: ['a'] } },
          { x: { from: 10, below: 30 }, k: { oneOf: ['b'] } },
        ],
      ),
    ).toEqual([
      [[[0, 2]], [[0, 1]]],
      [[[1, 3]], [[1, 2]]],
    ]);
    expect(areasOnAxes([bins(5)], [{ x: { from: 0, below: 20 }, k: { oneOf: ['a'] } }])).toBeUndefined();
  });

  test('ignores fields that do not filter a tile', () => {
    const inPanels: Box[] = [
      { x: { from: 0, below: 20 }, y: { oneOf: [1] } },
      { x: { from: 10, below: 30 }, y: { oneOf: [2] } },
    ];
    expect(areasOnAxes([bins(5)], inPanels, ['y'])).toEqual([[[[0, 3]]]]);
    const [first, second] = inPanels.map((box): Box => ({
      ...box,
      x: { from: 0, below: 20 },
      k: { oneOf: ['a'] },
    }));
    expect(areasOnAxes([bins(5), kinds], [first!, second!], ['y'])).toEqual([[[[0, 2]], [[0, 1]]]]);
  });

  test('marks the positions it touches', () => {
    const isSelected = selectedSlots([bins(5), undefined], [{ x: { from: 12, below: 30 } }])!;
    expect([0, 1, 2, 3].map(position => isSelected(position, -1))).toEqual([false, true, true, false]);
    expect(selectedSlots([bins(5)], [])).toBeUndefined();
  });

  test('of a long axis marks the positions that single lookups find', () => {
    for (const axis of [
      { kind: 'bins', field: 'x', origin: 0, step: 10, count: 50 },
      { kind: 'times', field: 'x', unit: 'day', from: Date.UTC(2020, 0, 1), count: 400 },
    ] as const) {
      const edges = edgesOf(axis);
      const [first, length] = [edges[0]!, edges.at(-1)! - edges[0]!];
      const bound = (share: number) => Math.round(first + (share * 1.4 - 0.2) * length);
      for (let i = 0; i < 200; i++) {
        const [from, below] = [bound(((i * 37) % 101) / 100), bound(((i * 61) % 103) / 102)];
        const condition = [
          { from, below },
          { from: edges[i % edges.length]!, below: edges[(i * 7) % edges.length]! },
          { from },
          { below },
        ][i % 4]!;
        const isMet = (position: number) =>
          edges[position]! < (condition.below ?? Infinity) &&
          edges[position + 1]! > (condition.from ?? -Infinity);
        const isSelected = selectedSlots([axis, undefined], [{ x: condition }])!;
        const positions = Array.from({ length: axis.count }, (_, position) => position);
        expect([condition, positions.filter(position => isSelected(position))]).toEqual([
          condition,
          positions.filter(isMet),
        ]);
        expect([condition, isSelected.runs!.flatMap(([begin, end]) => positions.slice(begin, end))]).toEqual([
          condition,
          positions.filter(isMet),
        ]);
      }
    }
  });

  test('is described by runs if a single axis determines it, several boxes joined', () => {
    expect(
      selectedSlots(
        [bins(9), undefined],
        [{ x: { from: 60, below: 80 } }, { x: { from: 0, below: 20 } }, { x: { from: 10, below: 30 } }],
      )!.runs,
    ).toEqual([
      [0, 3],
      [6, 8],
    ]);
    expect(selectedSlots([kinds], [{ k: { oneOf: [null, 'a'] } }])!.runs).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(selectedSlots([kinds], [{}])!.runs).toEqual([[0, slotsOf(kinds)]]);
    expect(selectedSlots([bins(5), kinds], [{ x: { from: 12, below: 30 } }])!.runs).toBeUndefined();
  });
});

test.each([
  [[], [kinds], ['sum'], 'nothing-to-brush'],
  [[bins(10)], [kinds], ['sum', 'none'], 'does-not-add-up'],
  [[bins(10)], [kinds], ['min'], 'yes'],
  [[bins(10), kinds], [kinds], ['min'], 'does-not-add-up'],
  [[bins(500)], [bins(48), bins(48)], ['sum', 'sum'], 'too-large'],
  [[bins(500)], [kinds], ['sum'], 'yes'],
] as const)('an index of %j × %j by %j: %s', (brush, axes, merges, answer) => {
  expect(canIndex({ brush, axes, merges })).toBe(answer);
});

describe('a pair of axes too large for an index at full resolution', () => {
  const days: Axis = { kind: 'times', field: 't', unit: 'day', from: Date.UTC(2019, 0, 1), count: 2000 };
  const series: Axis = {
    kind: 'categories',
    field: 'c',
    values: ['a', 'b', 'c', 'd', 'e', 'f'],
    other: true,
  };
  const drawn: Axis = { kind: 'bins', field: 'x', origin: 0, step: 10, count: 45 };

  test('uses the steps of the drawn tile, else fewer, until each index fits', () => {
    const fine = brushAxis(drawn, 'integer');
    expect(slotsOf(fine)).toBeGreaterThan(400);
    expect(fittingBrush({ brush: [fine], axes: [days, series], merges: ['sum'] }, [drawn])).toEqual([drawn]);
    expect(fittingBrush({ brush: [fine], axes: [series], merges: ['sum'] }, [drawn])).toEqual([fine]);
    const years = { ...days, count: 1800, field: 'u' };
    const [coarse] = fittingBrush({ brush: [years], axes: [days], merges: ['sum'] }, [years])!;
    expect(coarse).toMatchObject({ kind: 'times', unit: 'week' });
    expect(canIndex({ brush: [coarse!], axes: [days], merges: ['sum'] })).toBe('yes');
    // Of names there are no fewer; medians do not add up however few there are.
    const names: Axis = {
      kind: 'categories',
      field: 'n',
      values: Array.from({ length: 300 }, (_, i) => i),
      other: true,
    };
    expect(fittingBrush({ brush: [names], axes: [days, series], merges: ['sum'] }, [names])).toBeUndefined();
    expect(fittingBrush({ brush: [fine], axes: [days, series], merges: ['none'] }, [drawn])).toBeUndefined();
  });

  test.each<[string, Axis]>([
    ['bins', drawn],
    ['days', days],
    ['weeks', { ...days, unit: 'week:sunday', from: Date.UTC(2018, 11, 30), count: 100 }],
    ['fiscal quarters', { ...days, unit: 'fiscalQuarter:july', from: Date.UTC(2019, 0, 1), count: 21 }],
  ])('%s with fewer steps cover the same range', (_, axis) => {
    if (axis.kind === 'categories') throw new TypeError('no names');
    for (
      let coarse = coarserAxis(axis);
      coarse && coarse.kind !== 'categories';
      coarse = coarserAxis(coarse)
    ) {
      expect(coarse.count).toBeLessThan(axis.count);
      expect(edgeOf(coarse, 0)).toBeLessThanOrEqual(edgeOf(axis, 0));
      expect(edgeOf(coarse, coarse.count)).toBeGreaterThanOrEqual(edgeOf(axis, axis.count));
    }
  });

  test.each<[string, Axis, Box, [number, number]]>([
    ['to the nearest steps', drawn, { x: { from: 14, below: 36 } }, [1, 4]],
    ['to one step at least', drawn, { x: { from: 22, below: 24 } }, [2, 3]],
    ['within the axis', drawn, { x: { from: -40, below: 900 } }, [0, 45]],
    ['at its end', drawn, { x: { from: 449, below: 450 } }, [44, 45]],
    [
      'of time',
      { kind: 'times', field: 't', unit: 'month', from: Date.UTC(2024, 0, 1), count: 12 },
      { t: { from: '2024-02-20', below: '2024-05-10' } },
      [2, 4],
    ],
  ])('a range goes %s', (_, axis, box, run) => {
    expect(areasNear([axis], [box])).toEqual([[[run]]]);
  });
});

test('a page keeps the most recently used indexes, within its budget of bytes', () => {
  const store = new IndexStore();
  const index = {
    brush: [],
    unbound: [],
    isCoarse: false,
    groups: 0,
    parts: [],
    bytes: indexLimits.bytesPerPage / 2,
  };
  store.set('a', index);
  store.set('b', index);
  store.get('a');
  store.set('c', index);
  expect(['a', 'b', 'c'].map(key => store.get(key) !== undefined)).toEqual([true, false, true]);
});

describe('a change of selections', () => {
  const one: Box = { x: { from: 0, below: 10 } };
  const two: Box = { x: { from: 10, below: 20 } };
  const plan = (before: Record<string, Box[]>, after: Record<string, Box[]>, indexed: string[]) =>
    planUpdate(before, after, ['a', 'b', 'c'], 'a', tile => indexed.includes(tile), {});

  test('skips its own tile, slices those with an index, and queries the others', () => {
    expect(plan({}, { a: [one] }, ['b'])).toEqual({ a: 'leave', b: 'slice', c: 'query' });
  });
  test('queries where the selection of another tile changed too', () => {
    expect(plan({ b: [two] }, { a: [one] }, ['b', 'c'])).toEqual({ a: 'query', b: 'slice', c: 'query' });
  });
  test('does nothing if nothing changed, whatever the order of its fields', () => {
    expect(
      plan(
        { a: [{ x: { from: 1 }, k: { oneOf: [1] } }] },
        { a: [{ k: { oneOf: [1] }, x: { from: 1 } }] },
        [],
      ),
    ).toEqual({ a: 'leave', b: 'leave', c: 'leave' });
  });
  test('to a selection and back equals no change', () => {
    expect(toggle(toggle({}, 'a', one), 'a', one)).toEqual({});
    expect(clear(select({ b: [two] }, 'a', [one]), 'a')).toEqual({ b: [two] });
    expect(clear({ a: [one] })).toEqual({});
  });
});

describe('tiles with limited interactions', () => {
  const red: Box[] = [{ colour: { oneOf: ['red'] } }];
  const listening = listeningIn({
    pages: [
      {
        title: 'One',
        tiles: {
          a: { kind: 'text', text: 'a' },
          b: { kind: 'text', text: 'b', listens: false },
          c: { kind: 'text', text: 'c', listens: ['a'] },
        },
      },
    ],
  });

  test.each([
    ['a tile without a list is filtered by all others', 'a', ['b', 'c']],
    ['a tile with an empty list is filtered by none', 'b', []],
    ['a tile with a list is filtered by its tiles', 'c', ['a']],
    ['a tile is never filtered by itself', 'd', ['a', 'b', 'c']],
  ])('%s', (_, tile, bound) => {
    expect(
      Object.keys(
        selectionsFor({ a: red, b: red, c: red, ...(tile === 'd' && { d: red }) }, tile, listening),
      ),
    ).toEqual(bound);
  });

  test('a selection on a tile that does not select filters no other tile', () => {
    const muted = listeningIn({
      pages: [
        {
          title: 'One',
          tiles: {
            a: { kind: 'text', text: 'a', selects: false },
            b: { kind: 'text', text: 'b' },
            c: { kind: 'text', text: 'c', listens: ['a', 'b'] },
          },
        },
      ],
    });
    expect(
      ['a', 'b', 'c'].map(tile => Object.keys(selectionsFor({ a: red, b: red, c: red }, tile, muted))),
    ).toEqual([['b', 'c'], ['c'], ['b']]);
  });

  test('are skipped by selections that do not filter them, with or without an index', () => {
    expect(planUpdate({}, { b: red }, ['a', 'b', 'c'], 'b', () => true, listening)).toEqual({
      a: 'slice',
      b: 'leave',
      c: 'leave',
    });
    expect(planUpdate({}, { a: red }, ['a', 'b', 'c'], 'a', tile => tile !== 'c', listening)).toEqual({
      a: 'leave',
      b: 'leave',
      c: 'query',
    });
  });
});

describe('the selection in a chart', () => {
  const x = { ...kinds, channel: 'x' };
  const row = {
    kind: 'categories',
    field: 'r',
    values: ['North', 'South'],
    other: false,
    channel: 'row',
  } as const;
  const north = { k: { oneOf: ['b'] }, r: { oneOf: ['North'] } };
  const selectedOf = (isSelected: ReturnType<ReturnType<typeof selectionIn>>) =>
    isSelected && [0, 1, 2].filter(position => isSelected(position));

  test('is undefined without boxes, and otherwise the marks that they meet', () => {
    expect(selectionIn([x], [])()).toBeUndefined();
    expect(selectedOf(selectionIn([x], [{ k: { oneOf: ['a', null] } }])())).toEqual([0, 2]);
  });

  test('is in the panels that the boxes name, and no mark of the others', () => {
    const isSelectedIn = selectionIn([x, row], [north]);
    expect(selectedOf(isSelectedIn({ row: 0 }))).toEqual([1]);
    expect(selectedOf(isSelectedIn({ row: 1 }))).toEqual([]);
  });
});
