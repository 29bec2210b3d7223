import PDFDocument from 'pdfkit';
import SVGtoPDF from 'svg-to-pdfkit';
import { Typesetter, typeset, visualRuns } from '../fonts/font-fallback.ts';

/**
 * Writes drawings as the pages of a PDF, one each, as vectors with searchable text. Sizes are in points.
 * @param fonts the workspace's fonts
 */
export async function writePdf(
  title: string,
  pages: readonly { readonly svg: string; readonly width: number; readonly height: number }[],
  fonts: readonly string[],
  locale: string,
): Promise<Uint8Array> {
  const document = new PDFDocument({
    autoFirstPage: false,
    info: { Title: title, Producer: 'Belvedere', Creator: 'Belvedere' },
    lang: locale,
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>(resolve => document.on('end', resolve));
  const typesetter = new Typesetter(fonts);
  typesetter.families.forEach(([regular, bold = regular], family) => {
    document.registerFont(`family-${family}`, regular);
    document.registerFont(`family-${family}-bold`, bold);
  });
  const fontOf = (family: string, isBold: boolean) =>
    `${/^family-\d+$/.test(family) ? family : 'family-0'}${isBold ? '-bold' : ''}`;
  for (const { svg, width, height } of pages) {
    document.addPage({ size: [width, height], margin: 0 });
    SVGtoPDF(
      document,
      typeset(svg, typesetter, family => `family-${family}`, visualRuns),
      0,
      0,
      { width, height, assumePt: true, fontCallback: fontOf, warningCallback: () => {} },
    );
  }
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}
