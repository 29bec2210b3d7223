import { copyFile, cp, mkdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The sample's tables and the files of `vega-datasets` they are. */
const sampleData = { 'flights.parquet': 'flights-3m.parquet', 'airports.csv': 'airports.csv', 'weather.csv': 'weather.csv', 'birdstrikes.csv': 'birdstrikes.csv' };

/**
 * The sample workspace: its documents as they are in `samples/`, its data from the npm package that carries it.
 * It is laid out anew in `.cache/sample` so that nothing is written into the project's own files. Returns its folder.
 */
export async function prepareSample(project: string): Promise<string> {
  const source = path.join(project, 'samples', 'workspace');
  const target = path.join(project, '.cache', 'sample');
  const original = path.resolve(createRequire(path.join(project, 'samples', 'package.json')).resolve('vega-datasets'), '..', '..', 'data');
  await mkdir(path.join(target, 'data'), { recursive: true });
  for (const folder of ['models', 'dashboards']) {
    await rm(path.join(target, folder), { recursive: true, force: true });
    await cp(path.join(source, folder), path.join(target, folder), { recursive: true });
  }
  await copyFile(path.join(source, 'belvedere.yaml'), path.join(target, 'belvedere.yaml'));
  for (const [name, published] of Object.entries(sampleData)) {
    const file = path.join(target, 'data', name);
    const from = path.join(original, published);
    if ((await stat(file).catch(() => undefined))?.size === (await stat(from)).size) continue;
    await copyFile(from, file);
  }
  return target;
}
