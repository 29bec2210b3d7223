import type { Page } from 'playwright-core';

/** Measurements of a page's main thread from the browser's trace, ms. */
export interface Traced {
  /**
   * Script time per drawn frame, in CPU time: events, React and drawing. Waiting for a CPU does not count.
   */
  readonly frames: readonly number[];
  /** The longest task, including layout and painting, in wall-clock time. */
  readonly longestTask: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur: number;
  readonly tdur: number;
}

const scripts = new Set([
  'FunctionCall',
  'EvaluateScript',
  'v8.callFunction',
  'FireAnimationFrame',
  'EventDispatch',
  'TimerFire',
  'RunMicrotasks',
  'v8.run',
]);
const framesFrom = 'bench:frames-from';
const framesTo = 'bench:frames-to';

/**
 * Traces a page during some work.
 * @param work receives two functions that mark the start and end of the counted frames; the longest task may
 * lie outside
 */
export async function traceScript(
  page: Page,
  work: (begin: () => Promise<void>, end: () => Promise<void>) => Promise<void>,
): Promise<Traced> {
  const browser = page.context().browser()!;
  const mark = (name: string) => page.evaluate(said => void performance.mark(said), name);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel', 'blink.user_timing'] });
  let trace: Buffer;
  try {
    await work(
      () => mark(framesFrom),
      () => mark(framesTo),
    );
  } finally {
    trace = await browser.stopTracing();
  }
  const all = (JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }).traceEvents;
  const begun = all.find(event => event.name === framesFrom)!;
  const ended = all.find(event => event.name === framesTo)!;
  const own = all
    .filter(event => event.pid === begun.pid && event.tid === begun.tid)
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks = outermost(own.filter(isTask));
  return {
    frames: framesOf(outermost(own.filter(event => event.ph === 'X' && scripts.has(event.name))), tasks)
      .filter(({ at }) => at > begun.ts && at < ended.ts)
      .map(({ script }) => script),
    longestTask: Math.max(0, ...tasks.map(event => event.dur)) / 1000,
  };
}

function isTask(event: TraceEvent): boolean {
  return event.ph === 'X' && event.name.endsWith('RunTask');
}

/** Returns the events that are not nested in another. */
function outermost(events: readonly TraceEvent[]): readonly TraceEvent[] {
  let end = 0;
  return events.filter(event => {
    if (event.ts < end) return false;
    end = event.ts + event.dur;
    return true;
  });
}

/** Frame callbacks shorter than this draw nothing: they only count the frame. */
const minDrawingMs = 0.2;

/**
 * Returns the script time between one frame's callbacks and the next, for frames that were drawn. The page
 * itself does not measure, since that would take a fifth of the measured time.
 */
function framesOf(
  script: readonly TraceEvent[],
  tasks: readonly TraceEvent[],
): { readonly at: number; readonly script: number }[] {
  const frames: { at: number; script: number }[] = [];
  let [sum, drawing, task] = [0, 0, 0];
  for (const [i, event] of script.entries()) {
    sum += event.tdur / 1000;
    if (event.name !== 'FireAnimationFrame') continue;
    drawing += event.tdur / 1000;
    // Several callbacks of one frame run in one task.
    while (task < tasks.length && tasks[task]!.ts + tasks[task]!.dur < event.ts) task++;
    if (
      script[i + 1]?.name === 'FireAnimationFrame' &&
      script[i + 1]!.ts < tasks[task]!.ts + tasks[task]!.dur
    )
      continue;
    if (drawing > minDrawingMs) frames.push({ at: event.ts, script: sum });
    [sum, drawing] = [0, 0];
  }
  return frames;
}
