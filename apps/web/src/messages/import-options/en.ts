import { type Misfit } from '@belvedere/api';
import { pluralIn } from '../plural-in.ts';

const plural = pluralIn('en');

/** Import options and rejected rows. */
export const importOptionsEn = {
  importOptions: {
    progress: (percent: number, file: { readonly number: number; readonly of: number } | undefined) =>
      `Importing, ${percent}%${file ? ` (file ${file.number.toLocaleString('en')} of ${file.of.toLocaleString('en')})` : ''}`,
    stop: 'Cancel import',
    again: 'Import again',
    stopped: 'Import canceled. Data imported before stays available.',
    title: 'Import options',
    open: 'Import options',
    guess: 'Auto-detected',
    guessed: (type: string) => `Detected: ${type}`,
    skip: 'Lines before the header',
    decimal: 'Number format',
    dates: 'Date order',
    nulls: 'Values to import as null',
    columns: 'Column types',
    nested: 'Nested objects',
    nestings: {
      columns: 'Separate columns',
      text: 'JSON text',
    },
    save: 'Save and import again',
    checking: 'Checking…',
    saveUnchecked: 'Save without checking',
    saveAnyway: 'Save anyway',
    loss: {
      rows: (n: number, count: string) =>
        `${count} more ${n === 1 ? 'row is' : 'rows are'} rejected with these options.`,
      values: (n: number, count: string, column: string) =>
        `${count} ${n === 1 ? 'value' : 'values'} in “${column}” would become null.`,
    },
    orders: {
      'day first': 'Day first',
      'month first': 'Month first',
      'year first': 'Year first',
    },
    hint: (table: string) =>
      `Saved in the workspace as “tables/${table}.yaml”. Other settings stay auto-detected.`,
    nearly: (column: string, type: string, fits: string, all: string) =>
      `${fits} of ${all} values in “${column}” have the type “${type}”. The column stays text because of:`,
    decide: (type: string, misfits: number) =>
      `Import as ${type}, leave out ${plural(misfits, 'value', 'values')}`,
    misfit: ({ value, count = 1, file, line, sheet, cell }: Misfit) =>
      `${count > 1 ? `${count.toLocaleString('en')} × ` : ''}“${value}”` +
      `${count > 1 && file ? ', first' : ''}${file ? ` in ${file}` : ''}` +
      `${line === undefined ? '' : `, line ${line.toLocaleString('en')}`}` +
      `${sheet === undefined ? '' : `, sheet “${sheet}”`}${cell === undefined ? '' : `, cell ${cell}`}`,
    questions: {
      'date order': (columns: string, example: string) =>
        `Dates in “${columns}” are ambiguous (for example ${example}). They stay text until you choose an order:`,
      'decimal mark': (columns: string, example: string) =>
        `Numbers in “${columns}” are ambiguous (for example ${example}). They stay text until you choose a number format:`,
    },
  },
};

export type ImportOptionsMessages = typeof importOptionsEn;
