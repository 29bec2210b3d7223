import type { DownloadsMessages } from './en.ts';

export const downloadsDe: DownloadsMessages = {
  downloads: {
    making: format => `${format} wird erstellt …`,
    coming: (format, size) => `${format}: ${size} heruntergeladen`,
    stop: 'Abbrechen',
    close: 'Schließen',
    copied: 'Kopiert',
    removed: title => `„${title}“ in den Papierkorb verschoben`,
    undo: 'Rückgängig',
    notCopied:
      'Kopieren nicht möglich. Erlauben Sie dieser Seite den Zugriff auf die Zwischenablage oder verwenden Sie den Export.',
  },
  exporting: {
    title: format => `${format} exportieren`,
    rows: count => `${count} Zeilen`,
    pdf: {
      hint: _ => 'Tabellen zeigen die Zeilen, die in ihre Kacheln passen.',
      all: most => `Alle Zeilen auf weiteren Seiten, bis zu ${most} je Tabelle`,
    },
    xlsx: {
      hint: most => `Die Arbeitsmappe enthält die ersten ${most} Zeilen jeder Tabelle.`,
      all: _ => 'Alle Zeilen',
    },
    ownLimit: most => `Sie können höchstens ${most} Zeilen jeder Tabelle exportieren. Die Datei sagt das.`,
    sheetLimit: most => `Ein Arbeitsblatt fasst ${most} Zeilen. CSV und Parquet fassen mehr.`,
    start: 'Exportieren',
  },
  formats: {
    png: 'PNG-Bild',
    svg: 'SVG-Bild',
    pdf: 'PDF',
    csv: 'CSV',
    xlsx: 'Excel (XLSX)',
    parquet: 'Parquet',
    html: 'Offline-HTML',
  },
};
