import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const inter = (name: string) => require.resolve(`@expo-google-fonts/inter/${name}`);

/** Inter in the two weights that pictures use: regular, then semibold. */
export const interFonts = [inter('400Regular/Inter_400Regular.ttf'), inter('600SemiBold/Inter_600SemiBold.ttf')] as const;

/** Fonts that a workspace brings for scripts Inter has no letters of, from its folder `fonts`. */
export function ownFonts(root: string): string[] {
  const folder = path.join(root, 'fonts');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter(name => /^[^.].*\.(ttf|otf)$/i.test(name)).toSorted().slice(0, 8).map(name => path.join(folder, name));
}
