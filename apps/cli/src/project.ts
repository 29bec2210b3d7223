import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the program itself. */
export const project = path.resolve(import.meta.dirname, '..', '..', '..');
export const pagesFolder = path.join(project, 'apps', 'web', 'dist');
export const { version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
  readonly version: string;
};
