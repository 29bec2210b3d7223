import { irregularityOf } from '@belvedere/engine';
import { lstatSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const inter = (name: string) => require.resolve(`@expo-google-fonts/inter/${name}`);

/** A family's files: regular, then semibold or bold where it has that. */
export type FontFiles = readonly [regular: string, bold?: string];

export const interFonts = [
  inter('400Regular/Inter_400Regular.ttf'),
  inter('600SemiBold/Inter_600SemiBold.ttf'),
] as const satisfies FontFiles;

/** Noto, for scripts that Inter has no letters of: Chinese (simplified), Arabic, Hebrew. */
export const scriptFonts: readonly FontFiles[] = (
  [
    ['sc', 'NotoSansHans', 'otf'],
    ['arabic', 'NotoNaskhArabic', 'ttf'],
    ['hebrew', 'NotoSansHebrew', 'ttf'],
  ] as const
).map(([script, family, kind]) => {
  // The package names its files to nobody; they lie beside its code.
  const folder = path.join(path.dirname(require.resolve(`@embedpdf/fonts-${script}`)), '..', 'fonts');
  return [path.join(folder, `${family}-Regular.${kind}`), path.join(folder, `${family}-Bold.${kind}`)];
});

/** Fonts that a workspace brings for scripts that even those have no letters of, from its folder `fonts`. */
export function workspaceFonts(root: string): string[] {
  const folder = path.join(root, 'fonts');
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const files = readdirSync(folder)
    .filter(name => /^[^.].*\.(ttf|otf)$/i.test(name))
    .toSorted()
    .map(name => path.join(folder, name));
  // What draws opens them by their paths, and would wait for a pipe.
  return files.filter(file => !irregularityOf(lstatSync(file))).slice(0, 8);
}
