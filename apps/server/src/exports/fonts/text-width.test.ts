import { textWidth } from '@belvedere/chart';
import PdfDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { interFonts } from './fonts.ts';

const document = new PdfDocument().font(interFonts[0]).fontSize(100);

test.each([
  'Bo & Co',
  'Unknown bird - small',
  'HOUSTON',
  'Dallas–Fort Worth',
  '0123456789',
  '1,234.5',
  '−20 to −10',
  'Čeněk',
  'Jan 2024',
  'Q1 FY 2024',
  'München',
  '(no value)',
  'Illinois',
  'AVAILABLE',
  'United States of America',
  'Ærø, Łódź & Åbo',
  '$12.5M · 98.4%',
])('the room that charts leave for `%s` is what Inter takes', text => {
  const width = document.widthOfString(text);
  expect(Math.abs(textWidth(text, 100) / width - 1), `${textWidth(text, 100)} for ${width}`).toBeLessThan(
    0.04,
  );
});
