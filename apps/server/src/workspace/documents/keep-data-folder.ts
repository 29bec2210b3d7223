import { existsSync } from 'node:fs';
import path from 'node:path';
import { ProblemError } from '../../http/problem-error.ts';
import { createFile } from './create-file.ts';

/**
 * Call before the first document of a folder is saved. If the folder shows data outside of its folder `data`,
 * this writes `data: .` into a new `belvedere.yaml`: otherwise the folder, a workspace from then on, would show
 * only the files of `data` when it is opened again.
 * @param folders.data the folder or file that is shown
 */
export async function keepDataFolder({
  root,
  data,
}: {
  readonly root: string;
  readonly data: string;
}): Promise<void> {
  const own = path.join(root, 'data');
  if (data === own || !existsSync(own) || existsSync(path.join(root, 'belvedere.yaml'))) return;
  await createFile(root, ['belvedere.yaml'], text).catch((error: unknown) => {
    const isWrittenMeanwhile = error instanceof ProblemError && error.type === 'revision-conflict';
    if (!isWrittenMeanwhile) throw error;
  });
}

const text = `version: 1
data: .   # data files are anywhere in this folder, not only in data/
`;
