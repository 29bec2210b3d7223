// What every peer's page offers the bench, and how it is driven: a brush over the first chart that follows the pointer, a step a frame.

/** @param {{ prepare?: () => Promise<void>, brush: (from: number, below: number) => void | Promise<void>, span: readonly [number, number] }} peer */
export function offer(peer) {
  globalThis.peer = peer;
  const surface = document.querySelector('canvas');
  if (!surface) return;
  const [low, high] = peer.span;
  const valueAt = event => low + ((high - low) * event.offsetX) / surface.width;
  let anchor;
  let wanted;
  const follow = async () => {
    const gaps = [];
    let before;
    for (;;) {
      const now = await new Promise(resolve => requestAnimationFrame(resolve));
      if (before !== undefined) gaps.push(now - before);
      before = now;
      if (anchor === undefined) return gaps;
      if (wanted === undefined) continue;
      const [from, below] = [anchor, wanted].sort((a, b) => a - b);
      wanted = undefined;
      await peer.brush(from, below);
    }
  };
  surface.addEventListener('pointerdown', event => {
    surface.setPointerCapture(event.pointerId);
    anchor = valueAt(event);
    // Between two of its pictures, ms, once the pointer is up.
    globalThis.followed = follow();
  });
  surface.addEventListener('pointermove', event => {
    if (anchor !== undefined) wanted = valueAt(event);
  });
  surface.addEventListener('pointerup', () => (anchor = undefined));
}

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
