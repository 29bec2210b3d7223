import { Resvg } from '@resvg/resvg-js';
import { interFonts } from '../fonts/fonts.ts';
import { Typesetter, typeset } from '../fonts/font-fallback.ts';

/** Renders a drawing as PNG. @param scale image pixels per drawing unit @param fonts the workspace's fonts */
export function writePng(svg: string, scale: number, fonts: readonly string[]): Uint8Array {
  const typesetter = new Typesetter(fonts);
  const wanted = new Set<number>();
  const nameOf = (family: number) => {
    wanted.add(family);
    return typesetter.nameOf(family);
  };
  // resvg draws a text that lists two families in whichever has all of it, at the wrong weight. One family
  // per text avoids that.
  const set = typeset(svg, typesetter, nameOf, text => typesetter.inOne(text) ?? typesetter.runs(text));
  // Without font files, resvg would silently omit every text. System fonts cover letters that none of these
  // have.
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
