// The sample as a static site: time of the first build and of one that changes nothing, and sizes.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { prepareSample } from '../apps/cli/src/prepare-sample.ts';
import { project } from '../e2e/browser.ts';
import { runBuild } from '../e2e/site/run-build.ts';
import { report } from './harness/figures.ts';
import { timed } from './harness/running-server.ts';

interface Built {
  readonly bytes: number;
  readonly kept: number;
  readonly pages: readonly { readonly dashboard: string; readonly bytes: number }[];
}

const cache = await mkdtemp(path.join(os.tmpdir(), 'belvedere-site-bench-'));
const sample = await prepareSample(project, 'workspace', path.join(cache, 'sample'));
const build = async () => {
  const { code, stdout, stderr } = await runBuild(cache, [path.join(cache, 'site'), sample, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Built;
};
const [firstMs, site] = await timed(build);
const [againMs, again] = await timed(build);
if (again.kept !== site.pages.length) throw new Error('A second build wrote pages of unchanged dashboards.');
const largest = site.pages.toSorted((a, b) => b.bytes - a.bytes)[0]!;
await rm(cache, { recursive: true, force: true });
await report('site', [
  {
    name: `${site.pages.length} dashboards built, with the import of their data`,
    value: firstMs,
    unit: 'ms',
  },
  { name: 'built again, nothing changed', value: againMs, unit: 'ms' },
  { name: 'the whole site', value: site.bytes / 2 ** 20, unit: 'MB', target: '≤ 10' },
  {
    name: `its largest page (${largest.dashboard})`,
    value: largest.bytes / 2 ** 20,
    unit: 'MB',
    target: '≤ 5',
  },
]);
