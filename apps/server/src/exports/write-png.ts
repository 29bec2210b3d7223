import { Resvg } from '@resvg/resvg-js';
import { interFonts } from './fonts.ts';

/** A drawing as a picture. @param scale pixels of the picture for each of the drawing */
export function writePng(svg: string, scale: number, fonts: readonly string[]): Uint8Array {
  // Without fonts named, every text would silently be left out; the system's own help with scripts that Inter lacks.
  const font = { fontFiles: [...interFonts, ...fonts], loadSystemFonts: true, defaultFontFamily: 'Inter' };
  return new Uint8Array(new Resvg(svg, { font, fitTo: { mode: 'zoom', value: scale } }).render().asPng());
}
