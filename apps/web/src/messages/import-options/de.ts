import { pluralIn } from '../plural-in.ts';
import type { ImportOptionsMessages } from './en.ts';

const plural = pluralIn('de');

export const importOptionsDe: ImportOptionsMessages = {
  importOptions: {
    progress: (percent, file) =>
      `Wird importiert, ${percent} %${file ? ` (Datei ${file.number.toLocaleString('de')} von ${file.of.toLocaleString('de')})` : ''}`,
    stop: 'Import abbrechen',
    again: 'Erneut importieren',
    stopped: 'Import abgebrochen. Zuvor importierte Daten bleiben verfügbar.',
    title: 'Importoptionen',
    open: 'Importoptionen',
    guess: 'Automatisch erkannt',
    guessed: type => `Erkannt: ${type}`,
    skip: 'Zeilen vor der Kopfzeile',
    decimal: 'Zahlenformat',
    dates: 'Datumsreihenfolge',
    nulls: 'Als Null-Werte importieren',
    columns: 'Spaltentypen',
    nested: 'Verschachtelte Objekte',
    nestings: {
      columns: 'Separate Spalten',
      text: 'JSON-Text',
    },
    save: 'Speichern und erneut importieren',
    checking: 'Wird geprüft…',
    saveUnchecked: 'Ungeprüft speichern',
    saveAnyway: 'Trotzdem speichern',
    loss: {
      rows: (n, count) =>
        `Mit diesen Optionen ${n === 1 ? 'wird' : 'werden'} ${count} weitere ${n === 1 ? 'Zeile' : 'Zeilen'} abgelehnt.`,
      values: (n, count, column) =>
        `${count} ${n === 1 ? 'Wert' : 'Werte'} in „${column}“ ${n === 1 ? 'würde' : 'würden'} null.`,
    },
    orders: {
      'day first': 'Tag zuerst',
      'month first': 'Monat zuerst',
      'year first': 'Jahr zuerst',
    },
    hint: table =>
      `Wird im Arbeitsbereich als „tables/${table}.yaml“ gespeichert. Alles andere wird weiterhin automatisch erkannt.`,
    nearly: (column, type, fits, all) =>
      `${fits} von ${all} Werten in „${column}“ haben den Typ „${type}“. Die Spalte bleibt Text wegen:`,
    decide: (type, misfits) => `Als „${type}“ importieren, ${plural(misfits, 'Wert', 'Werte')} auslassen`,
    misfit: ({ value, count = 1, file, line, sheet, cell }) =>
      `${count > 1 ? `${count.toLocaleString('de')} × ` : ''}„${value}“` +
      `${count > 1 && file ? ', zuerst' : ''}${file ? ` in ${file}` : ''}` +
      `${line === undefined ? '' : `, Zeile ${line.toLocaleString('de')}`}` +
      `${sheet === undefined ? '' : `, Blatt „${sheet}“`}${cell === undefined ? '' : `, Zelle ${cell}`}`,
    questions: {
      'date order': (columns, example) =>
        `Die Datumsangaben in „${columns}“ sind mehrdeutig (z. B. ${example}). Sie bleiben Text, bis Sie eine Reihenfolge wählen:`,
      'decimal mark': (columns, example) =>
        `Die Zahlen in „${columns}“ sind mehrdeutig (z. B. ${example}). Sie bleiben Text, bis Sie ein Zahlenformat wählen:`,
    },
  },
};
