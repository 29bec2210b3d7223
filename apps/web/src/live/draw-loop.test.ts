import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let frames: ((at: number) => void)[];
let now: number;
let requestDraw: (draw: () => void) => void;
let cancelDraw: (draw: () => void) => void;

beforeEach(async () => {
  frames = [];
  now = 0;
  vi.resetModules();
  vi.stubGlobal('requestAnimationFrame', (frame: (at: number) => void) => frames.push(frame));
  vi.stubGlobal('performance', { now: () => now });
  ({ requestDraw, cancelDraw } = await import('./draw-loop.ts'));
});
afterEach(() => vi.unstubAllGlobals());

/** Runs the next frame, `afterMs` after the last one. @returns whether a frame was requested */
function showFrame(afterMs = 16): boolean {
  now += afterMs;
  const due = frames;
  frames = [];
  for (const frame of due) frame(now);
  return due.length > 0;
}

/** Requests all charts before each frame, as a moving brush does. @returns the charts that each frame drew */
function follow(charts: number, gaps: readonly number[]): number[][] {
  let drawn: number[] = [];
  const draws = Array.from({ length: charts }, (_, i) => () => void drawn.push(i));
  return gaps.map(gap => {
    drawn = [];
    for (const draw of draws) requestDraw(draw);
    showFrame(gap);
    return drawn;
  });
}

test('several requests before a frame draw once in it; a cancelled one draws nothing, and then the loop rests', () => {
  const drawn: string[] = [];
  const [a, b] = [() => void drawn.push('a'), () => void drawn.push('b')];
  for (const draw of [a, b, a]) requestDraw(draw);
  cancelDraw(b);
  showFrame();
  expect(drawn).toEqual(['a']);
  // The frame that shows whether the last one was late.
  expect(showFrame()).toBe(true);
  expect(showFrame()).toBe(false);
});

test('slow drawing is spread over several frames', () => {
  const drawn: number[] = [];
  for (let i = 0; i < 5; i++)
    requestDraw(() => {
      now += 6;
      drawn.push(i);
    });
  showFrame();
  expect(drawn).toEqual([0, 1]);
  showFrame();
  showFrame();
  expect(drawn).toEqual([0, 1, 2, 3, 4]);
});

test('everything is drawn in each frame while frames are on time', () => {
  expect(
    follow(
      20,
      Array.from({ length: 30 }, () => 17),
    ).every(frame => frame.length === 20),
  ).toBe(true);
});

test('late frames draw fewer items each, in turn; punctual frames draw more again', () => {
  const frames = follow(20, [16, 33, 33, 33, 33, 33, ...Array.from({ length: 200 }, () => 16)]);
  expect(frames.slice(0, 6).map(frame => frame.length)).toEqual([20, 15, 11, 8, 6, 4]);
  // Every chart is drawn once before any is drawn again.
  const inTurn = frames.slice(5).flat();
  for (let chart = 0; chart < 20; chart++) expect(inTurn.slice(0, 40)).toContain(chart);
  const lengths = frames.slice(6).map(frame => frame.length);
  expect(lengths.every((length, i) => i === 0 || length - lengths[i - 1]! <= 1)).toBe(true);
  expect(lengths.at(-1)).toBe(20);
});

test('a pause does not count as a late frame', () => {
  const [first] = follow(20, [16]);
  while (showFrame());
  now += 5000;
  expect([first!.length, follow(20, [16])[0]!.length]).toEqual([20, 20]);
});

test('an item that fails to draw is reported, and the others are drawn', () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const drawn: string[] = [];
  requestDraw(() => {
    throw new Error('no such place');
  });
  requestDraw(() => drawn.push('after it'));
  showFrame();
  expect([drawn, reported.mock.calls.length]).toEqual([['after it'], 1]);
});
