declare module 'svg-to-pdfkit' {
  export default function SVGtoPDF(
    document: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options: {
      width: number;
      height: number;
      assumePt: boolean;
      fontCallback: (family: string, isBold: boolean) => string;
      warningCallback: (text: string) => void;
    },
  ): void;
}
