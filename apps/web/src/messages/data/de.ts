import { pluralIn } from '../plural-in.ts';
import type { DataMessages } from './en.ts';

const plural = pluralIn('de');

export const dataDe: DataMessages = {
  data: {
    explore: 'Erkunden',
    title: 'Daten',
    source: 'Dateien',
    status: (tables, rows) => `${plural(tables, 'Tabelle', 'Tabellen')}, ${rows} Zeilen`,
    table: 'Tabelle',
    rows: 'Zeilen',
    columns: 'Spalten',
    size: 'Größe',
    files: 'Dateien',
    state: 'Status',
    skippedFiles: 'Übersprungene Dateien',
    relationships: 'Beziehungen',
    sql: 'Neue SQL-Abfrage',
    editModel: 'Modell bearbeiten',
    openOverview: 'Übersicht öffnen',
    preview: 'Vorschau',
    columnsTitle: 'Spalten',
    reportTitle: 'Importbericht',
    type: 'Typ',
    nulls: 'Null-Werte',
    empties: 'Leerer Text',
    distinct: 'Eindeutig',
    range: 'Bereich',
    top: 'Häufigste Werte',
    column: 'Spalte',
    search: 'Spalten suchen',
    report: (read, kept, rejected) => `${read} Zeilen gelesen = ${kept} importiert + ${rejected} abgelehnt`,
    encoding: 'Zeichenkodierung',
    delimiter: 'Trennzeichen',
    header: 'Kopfzeile',
    yes: 'Ja',
    no: 'Nein',
    rejected: 'Abgelehnte Zeilen',
    downloadRejected: 'Als CSV herunterladen',
    line: 'Zeile',
    problem: (file, line, message) =>
      `${file}${line === undefined ? '' : `, Zeile ${line.toLocaleString('de')}`}: ${message}`,
    firstFiles: (files, of) => `Erste ${files} von ${of} Dateien`,
    sampled: percent => `Stichprobe: ${percent} der Zeilen`,
    moreFiles: files => `und ${files} weitere`,
    rowsRejected: rows => `${rows} abgelehnt`,
    openQuestions: n => `${n} ${n === 1 ? 'Frage' : 'Fragen'}`,
    reason: 'Grund',
    text: 'Text',
    tab: 'Tabulator',
    empty:
      'Noch keine Tabellen. Kopieren Sie Datendateien in den Arbeitsbereichsordner, um sie hier zu sehen.',
    columnsCut: (shown, total) => `${shown} von ${total} Spalten`,
  },
  table: {
    sparkline: (unit, from, to, least, most, last) =>
      `Nach ${unit}, ${from} bis ${to}: Minimum ${least}, Maximum ${most}, zuletzt ${last}`,
    columns: 'Spalten',
    region: title => `${title}: Tabelle`,
    next: 'Nächste Seite',
    previous: 'Vorherige Seite',
    sort: column => `Nach ${column} sortieren`,
    page: (from, to, total) => `${from}–${to} von ${total}`,
  },
  uploads: {
    title: 'Daten hinzufügen',
    drop: 'Dateien hier ablegen, um sie hinzuzufügen',
    add: 'Dateien hinzufügen',
    sending: 'Wird hochgeladen',
    importing: 'Wird importiert',
    there: 'Eine Datei mit diesem Namen ist bereits vorhanden.',
    replace: 'Ersetzen',
    keepBoth: 'Beide behalten',
    close: 'Schließen',
    pasted: 'eingefuegt',
    empty: 'Diese Datei ist leer.',
    changed: (before, after, added, gone) =>
      [
        `Vorher ${before} Zeilen, jetzt ${after}.`,
        added ? `Neue Spalten: ${added}.` : '',
        gone ? `Entfernte Spalten: ${gone}.` : '',
      ]
        .filter(Boolean)
        .join(' '),
  },
};
