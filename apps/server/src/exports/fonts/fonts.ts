import { irregularityOf } from '@belvedere/engine';
import { lstatSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const inter = (name: string) => require.resolve(`@expo-google-fonts/inter/${name}`);

/** The files of a family: regular, then semibold or bold if it has one. */
export type FontFiles = readonly [regular: string, bold?: string];

export const interFonts = [
  inter('400Regular/Inter_400Regular.ttf'),
  inter('600SemiBold/Inter_600SemiBold.ttf'),
] as const satisfies FontFiles;

/** Noto, for scripts that Inter does not cover: Chinese (simplified), Arabic, Hebrew. */
export const scriptFonts: readonly FontFiles[] = (
  [
    ['sc', 'NotoSansHans', 'otf'],
    ['arabic', 'NotoNaskhArabic', 'ttf'],
    ['hebrew', 'NotoSansHebrew', 'ttf'],
  ] as const
).map(([script, family, kind]) => {
  // The package does not export its font files; they lie beside its code.
  const folder = path.join(path.dirname(require.resolve(`@embedpdf/fonts-${script}`)), '..', 'fonts');
  return [path.join(folder, `${family}-Regular.${kind}`), path.join(folder, `${family}-Bold.${kind}`)];
});

/** Returns the workspace's fonts for scripts that Noto does not cover either, from its folder `fonts`. */
export function workspaceFonts(root: string): string[] {
  const folder = path.join(root, 'fonts');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const files = readdirSync(folder)
    .filter(name => /^[^.].*\.(ttf|otf)$/i.test(name))
    .toSorted()
    .map(name => path.join(folder, name));
  // The renderers open fonts by path, and opening a pipe would block.
  return files.filter(file => !irregularityOf(lstatSync(file))).slice(0, 8);
}
