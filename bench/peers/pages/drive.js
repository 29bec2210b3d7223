// What every peer's page offers the bench, and how it is driven: a brush that swings back and forth over the first chart, a step a frame.

/** @param {{ prepare?: () => Promise<void>, brush: (from: number, below: number) => void | Promise<void>, span: readonly [number, number] }} peer */
export function offer(peer) {
  globalThis.peer = peer;
}

globalThis.swing = async ms => {
  const { brush, span } = globalThis.peer;
  const [low, high] = span;
  const gaps = [];
  let before;
  const began = performance.now();
  for (;;) {
    const now = await new Promise(resolve => requestAnimationFrame(resolve));
    if (before !== undefined) gaps.push(now - before);
    before = now;
    if (performance.now() - began > ms) return gaps;
    const share = (1 - Math.cos((performance.now() - began) / 500)) / 2;
    await brush(low + (high - low) * 0.1, low + (high - low) * (0.2 + 0.7 * share));
  }
};

/** Bars on a canvas, as plain as can be: what a peer leaves to its user is not to count against it. */
export function bars(title) {
  const canvas = Object.assign(document.createElement('canvas'), { width: 420, height: 220, title });
  document.body.append(canvas);
  const context = canvas.getContext('2d');
  return counts => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#3b6fd4';
    const most = Math.max(1, ...counts);
    const width = canvas.width / counts.length;
    counts.forEach((count, i) => context.fillRect(i * width, canvas.height * (1 - count / most), Math.max(1, width - 1), (canvas.height * count) / most));
  };
}

export async function column(name, type) {
  return new type(await (await fetch(`/data/${name}`)).arrayBuffer());
}
