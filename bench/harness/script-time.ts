import type { Page } from 'playwright-core';

/** What the browser's own trace says of a page's main thread, ms. */
export interface Traced {
  /** All of the page's script for each picture it drew: events, React and drawing, in time of the processor. Waiting for one does not count. */
  readonly frames: readonly number[];
  /** The longest the thread was held up, layout and painting too, by the clock. */
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
 * Traces a page while something is done on it.
 * @param work is given two functions, to be called where the frames that count begin and end; the longest task may lie outside
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

/** Those of nested events that are in none of the others. */
function outermost(events: readonly TraceEvent[]): readonly TraceEvent[] {
  let end = 0;
  return events.filter(event => {
    if (event.ts < end) return false;
    end = event.ts + event.dur;
    return true;
  });
}

/** A frame's callbacks that take less draw nothing: they only note that there was a frame. */
const leastDrawingMs = 0.2;

/** Script from one frame's callbacks to the next one's, for those in which something was drawn. The page notes nothing of it itself: that would take a fifth of what is measured. */
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
    // Several callbacks of one frame are run in one task.
    while (task < tasks.length && tasks[task]!.ts + tasks[task]!.dur < event.ts) task++;
    if (
      script[i + 1]?.name === 'FireAnimationFrame' &&
      script[i + 1]!.ts < tasks[task]!.ts + tasks[task]!.dur
    )
      continue;
    if (drawing > leastDrawingMs) frames.push({ at: event.ts, script: sum });
    [sum, drawing] = [0, 0];
  }
  return frames;
}
