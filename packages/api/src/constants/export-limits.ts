/** Maximum rows of one table in an export. A sheet of a workbook has 2^20 rows, one of them the header. */
export const maxExportRows = { limitedXlsx: 10_000, xlsx: 1_048_575, pdf: 2000 } as const;
