import { Resvg } from '@resvg/resvg-js';
import { interFonts } from './fonts.ts';
import { Typesetter, typeset } from './font-fallback.ts';

/** A drawing as a picture. @param scale pixels of the picture for each of the drawing @param fonts a workspace's own */
export function writePng(svg: string, scale: number, fonts: readonly string[]): Uint8Array {
  const typesetter = new Typesetter(fonts);
  const wanted = new Set<number>();
  const nameOf = (family: number) => {
    wanted.add(family);
    return typesetter.nameOf(family);
  };
  // resvg sets a text of two families in whichever has all of it, in the wrong weight: better in one from the start.
  const set = typeset(svg, typesetter, nameOf, text => typesetter.inOne(text) ?? typesetter.runs(text));
  // Without fonts named, every text would silently be left out; the system's own help with letters that none of these have.
  const files = new Set([
    ...interFonts,
    ...fonts,
    ...[...wanted].flatMap(family => typesetter.families[family]!),
  ]);
  return new Uint8Array(
    new Resvg(set, {
      font: {
        fontFiles: [...files].filter(file => file !== undefined),
        loadSystemFonts: true,
        defaultFontFamily: 'Inter',
      },
      fitTo: { mode: 'zoom', value: scale },
    })
      .render()
      .asPng(),
  );
}
