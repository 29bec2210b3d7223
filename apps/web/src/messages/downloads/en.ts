/** Exports. */
export const downloadsEn = {
  downloads: {
    making: (format: string) => `Preparing ${format}…`,
    coming: (format: string, size: string) => `${format}: ${size} downloaded`,
    stop: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    removed: (title: string) => `“${title}” moved to the trash`,
    undo: 'Undo',
    notCopied: 'Could not copy. Allow clipboard access for this page, or export instead.',
  },
  exporting: {
    title: (format: string) => `Export ${format}`,
    rows: (count: string) => `${count} rows`,
    pdf: {
      hint: (_: string) => 'Tables show the rows that fit into their tiles.',
      all: (most: string) => `All rows on further pages, up to ${most} of each table`,
    },
    xlsx: {
      hint: (most: string) => `The workbook has the first ${most} rows of each table.`,
      all: (_: string) => 'All rows',
    },
    ownLimit: (most: string) => `You can export at most ${most} rows of each table. The file says so.`,
    sheetLimit: (most: string) => `A sheet holds ${most} rows. CSV and Parquet hold more.`,
    start: 'Export',
  },
  formats: {
    png: 'PNG image',
    svg: 'SVG image',
    pdf: 'PDF',
    csv: 'CSV',
    xlsx: 'Excel (XLSX)',
    parquet: 'Parquet',
    html: 'Offline HTML',
  },
};

export type DownloadsMessages = typeof downloadsEn;
