import PDFDocument from 'pdfkit';
import SVGtoPDF from 'svg-to-pdfkit';
import { interFonts } from './fonts.ts';

/** Drawings as the pages of a PDF, one each, as vectors with text that can be searched. Sizes are in points. */
export async function writePdf(title: string, pages: readonly { readonly svg: string; readonly width: number; readonly height: number }[], fonts: readonly string[]): Promise<Uint8Array> {
  const document = new PDFDocument({ autoFirstPage: false, info: { Title: title, Producer: 'Belvedere', Creator: 'Belvedere' }, lang: 'en' });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>(resolve => document.on('end', resolve));
  document.registerFont('regular', fonts[0] ?? interFonts[0]);
  document.registerFont('bold', fonts[0] ?? interFonts[1]);
  for (const { svg, width, height } of pages) {
    document.addPage({ size: [width, height], margin: 0 });
    SVGtoPDF(document, svg, 0, 0, { width, height, assumePt: true, fontCallback: (_family: string, isBold: boolean) => (isBold ? 'bold' : 'regular'), warningCallback: () => {} });
  }
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}
