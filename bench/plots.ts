// Draws the saved figures (`.cache/bench/results.json`) into `docs/how-it-works/performance/`, with our own
// charts and without a browser, and prints them as the tables of the page that explains them.
import { drawChart, lightTheme, paintSvg, type ChannelAxis } from '@belvedere/chart';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { project } from '../e2e/browser.ts';
import type { Figure } from './harness/figures.ts';

const { machine, benches } = JSON.parse(
  await readFile(path.join(project, '.cache', 'bench', 'results.json'), 'utf8'),
) as {
  machine: { cpu: string; cores: number; node: string };
  benches: Record<string, { at: string; figures: Figure[] }>;
};
const folder = path.join(project, 'docs', 'how-it-works', 'performance');
await mkdir(folder, { recursive: true });

const sizes = [1, 10, 100, 200].filter(size => benches[`size ${size} M`]);
const sized = (name: string) =>
  sizes.map(
    size =>
      [
        `${size} M rows`,
        benches[`size ${size} M`]!.figures.find(figure => figure.name === name)?.value ?? Number.NaN,
      ] as const,
  );
await plot('index.svg', 'One index, ms', 'ms', sized('index, delays against the others'));
await plot('exact.svg', 'Twelve exact tiles, ms', 'ms', sized('exact picture of all tiles'));
await plot(
  'raw-duckdb.svg',
  'The same by raw DuckDB, ms',
  'ms',
  sizes.map(
    size =>
      [
        `${size} M rows`,
        benches[`size ${size} M`]!.figures.find(figure => figure.name === 'exact picture of all tiles')?.peer
          ?.value ?? Number.NaN,
      ] as const,
  ),
);
for (const [file, title, name] of [
  [
    'peers-first.svg',
    'First picture at ten million rows, ms, each line ten times the one before',
    'to the first picture',
  ],
  [
    'peers-index.svg',
    'Index at ten million rows, ms, each line ten times the one before',
    'index before the first brush',
  ],
  [
    'peers-frame.svg',
    'A frame while dragging, p95, ms, each line ten times the one before',
    'frame while dragging, p95',
  ],
] as const) {
  const found = benches['peers 10 M']?.figures.filter(figure => figure.name.startsWith(`${name}, `)) ?? [];
  await plot(
    file,
    title,
    'ms',
    found.map(
      figure =>
        [
          figure.name.slice(name.length + 2).replace(/^[a-z]/, letter => letter.toUpperCase()),
          figure.value,
        ] as const,
    ),
    'log',
  );
}

console.log(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}\n`);
for (const [bench, { figures }] of Object.entries(benches)) {
  console.log(`\n### ${bench}\n\n| figure | value | asked | ratio |\n| --- | --: | --- | --- |`);
  for (const { name, value, unit, target, peer } of figures)
    console.log(
      `| ${name} | ${number(value)} ${unit} | ${target ?? ''} | ${peer ? `${number(value / peer.value)} × ${peer.name}` : ''} |`,
    );
}

async function plot(
  file: string,
  title: string,
  unit: string,
  values: readonly (readonly [string, number])[],
  type: 'linear' | 'log' = 'linear',
): Promise<void> {
  const axis: ChannelAxis = {
    channel: 'y',
    kind: 'categories',
    field: 'what',
    values: values.map(([name]) => name),
    other: false,
  };
  const size = { width: 420, height: 40 + values.length * 34 };
  const base = Float64Array.from(values, ([, value]) => value);
  const chart = drawChart({
    tile: {
      kind: 'bar',
      x: { measure: 'value', scale: { type }, axis: { grid: type === 'log' } },
      y: { field: 'what' },
    },
    axes: [axis],
    base,
    size,
    theme: lightTheme,
    locale: 'en-US',
    measures: [{ label: title, unit, format: 'integer', isAdditive: true }],
  });
  const background = {
    kind: 'rects' as const,
    xywh: [0, 0, size.width, size.height],
    fill: lightTheme.surface,
  };
  await writeFile(
    path.join(folder, file),
    paintSvg([background, ...chart.guides, ...chart.marks(base, {})], size, title, { isForElsewhere: true }),
  );
}

function number(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toFixed(2).replace(/\.?0+$/, '');
}
