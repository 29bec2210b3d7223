import { copyFile, cp, mkdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The samples' tables, with their file names in `vega-datasets`. */
const data = {
  workspace: {
    'flights.parquet': 'flights-3m.parquet',
    'airports.csv': 'airports.csv',
    'weather.csv': 'weather.csv',
    'birdstrikes.csv': 'birdstrikes.csv',
  },
  gallery: {
    'birdstrikes.csv': 'birdstrikes.csv',
    'weather.csv': 'weather.csv',
    'gapminder.json': 'gapminder.json',
    'countries.csv': 'gapminder-health-income.csv',
    'penguins.json': 'penguins.json',
    'movies.json': 'movies.json',
    'sp500.csv': 'sp500-2000.csv',
    'temperature.csv': 'global-temp.csv',
    'disasters.csv': 'disasters.csv',
    'obesity.json': 'obesity.json',
    'unemployment.tsv': 'unemployment.tsv',
    'airports.csv': 'airports.csv',
    'barley.json': 'barley.json',
    'github.csv': 'github.csv',
  },
} as const;

/**
 * Creates a sample workspace: its documents from `samples/`, its data from the npm package that contains it.
 * It is rebuilt on each call, in `.cache` unless another folder is given, so that the project's own files are
 * never changed.
 * @returns the workspace's folder
 */
export async function prepareSample(
  project: string,
  sample: keyof typeof data = 'workspace',
  target: string = path.join(project, '.cache', sample === 'workspace' ? 'sample' : sample),
): Promise<string> {
  const source = path.join(project, 'samples', sample);
  const original = publishedData(project);
  await mkdir(path.join(target, 'data'), { recursive: true });
  for (const folder of ['models', 'dashboards']) {
    await rm(path.join(target, folder), { recursive: true, force: true });
    await cp(path.join(source, folder), path.join(target, folder), { recursive: true });
  }
  await copyFile(path.join(source, 'belvedere.yaml'), path.join(target, 'belvedere.yaml'));
  for (const [name, published] of Object.entries(data[sample])) {
    const file = path.join(target, 'data', name);
    const from = path.join(original, published);
    if ((await stat(file).catch(() => undefined))?.size === (await stat(from)).size) continue;
    await copyFile(from, file);
  }
  return target;
}

/** Copies the sample's documents and data into a workspace. Files that exist stay as they are. */
export async function addSample(
  project: string,
  { root, data: dataFolder }: { readonly root: string; readonly data: string },
): Promise<void> {
  const source = path.join(project, 'samples', 'workspace');
  const kept = { recursive: true, force: false, errorOnExist: false } as const;
  await mkdir(dataFolder, { recursive: true });
  for (const [name, published] of Object.entries(data.workspace))
    await cp(path.join(publishedData(project), published), path.join(dataFolder, name), kept);
  for (const entry of ['models', 'dashboards', 'belvedere.yaml'])
    await cp(path.join(source, entry), path.join(root, entry), kept);
}

/** The folder of the npm package that contains the samples' data. */
function publishedData(project: string): string {
  return path.resolve(
    createRequire(path.join(project, 'samples', 'package.json')).resolve('vega-datasets'),
    '..',
    '..',
    'data',
  );
}
