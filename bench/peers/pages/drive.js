// The benchmark's interface to every peer's page, and its driver: a brush over the first chart that follows
// the pointer, one step per frame.

const isBare = new URLSearchParams(location.search).has('bare');
const [width, height] = [420, 220];
/** The area of the bars in a chart. */
const [left, top, right, bottom] = isBare ? [0, 0, width, height] : [48, 28, width - 8, height - 24];

/** @param {{ prepare?: () => Promise<void>, brush: (from: number, below: number) => void | Promise<void>, span: readonly [number, number] }} peer */
export function offer(peer) {
  globalThis.peer = peer;
  const surface = document.querySelector('canvas');
  if (!surface) return;
  const [low, high] = peer.span;
  const valueAt = event => low + ((high - low) * (event.offsetX - left)) / (right - left);
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
    // Resolves with the times between frames, ms, once the pointer is released.
    globalThis.followed = follow();
  });
  surface.addEventListener('pointermove', event => {
    if (anchor !== undefined) wanted = valueAt(event);
  });
  surface.addEventListener('pointerup', () => (anchor = undefined));
}

function canvasOf(title) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height, title });
  document.body.append(canvas);
  return canvas.getContext('2d');
}

function bars(context, colour, counts, most) {
  const step = (right - left) / counts.length;
  const tall = (bottom - top) / most;
  context.fillStyle = colour;
  counts.forEach((count, i) =>
    context.fillRect(left + i * step, bottom - count * tall, Math.max(1, step - 1), count * tall),
  );
}

/**
 * Draws bars only, without an axis or a visible selection: a lower bound for a peer's cost before it draws a
 * chart.
 */
function bareBars(title) {
  const context = canvasOf(title);
  return {
    show: counts => {
      context.clearRect(0, 0, width, height);
      bars(context, '#3b6fd4', counts, Math.max(1, ...counts));
    },
    brush: () => {},
  };
}

/**
 * A light-weight chart for peers that leave drawing to their user: title, both axes with grid lines, all rows
 * in grey behind the selected ones, the brush and its text. Static parts are drawn once.
 */
function histogram(title, [low, high]) {
  const context = canvasOf(title);
  const across = value => left + ((right - left) * (value - low)) / (high - low);
  let still;
  let most;
  let selected;
  let brushed;
  const draw = () => {
    context.drawImage(still, 0, 0);
    bars(context, '#3b6fd4', selected, most);
    if (!brushed) return;
    const [from, below] = brushed.map(across);
    context.fillStyle = '#3b6fd422';
    context.fillRect(from, top, below - from, bottom - top);
    context.strokeStyle = '#3b6fd4';
    context.strokeRect(from, top, below - from, bottom - top);
    context.fillStyle = '#222';
    context.font = '11px sans-serif';
    context.textAlign = 'right';
    context.fillText(brushed.map(value => Math.round(value).toLocaleString('en')).join(' to '), right, 14);
  };
  return {
    show: counts => {
      selected = counts;
      most ??= Math.max(1, ...counts);
      still ??= stays(title, [low, high], counts, most);
      draw();
    },
    brush: (from, below) => {
      brushed = [from, below];
      draw();
    },
  };
}

/** Draws the parts of a chart that do not depend on the selection. */
function stays(title, [low, high], counts, most) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { alpha: false });
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#222';
  context.font = '600 13px sans-serif';
  context.fillText(title, 0, 14);
  context.font = '11px sans-serif';
  context.textAlign = 'right';
  const unit = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map(factor => factor * unit).find(size => most / size <= 5);
  for (let count = 0; count <= most; count += step) {
    const y = Math.round(bottom - ((bottom - top) * count) / most);
    context.fillStyle = '#e3e3e3';
    context.fillRect(left, y, right - left, 1);
    context.fillStyle = '#555';
    context.fillText(count.toLocaleString('en'), left - 6, y + 4);
  }
  context.textAlign = 'center';
  for (let i = 0; i <= 6; i++) {
    const value = low + ((high - low) * i) / 6;
    context.fillText(Math.round(value).toLocaleString('en'), left + ((right - left) * i) / 6, height - 8);
  }
  bars(context, '#dcdcdc', counts, most);
  return canvas;
}

export const chart = isBare ? bareBars : histogram;

export async function column(name, type) {
  return new type(await (await fetch(`/data/${name}`)).arrayBuffer());
}
