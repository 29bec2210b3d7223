import { germanProblems } from '@belvedere/api';
import type { Messages } from './en.ts';
import { dashboardDe } from './dashboard/de.ts';
import { dataDe } from './data/de.ts';
import { downloadsDe } from './downloads/de.ts';
import { filtersDe } from './filters/de.ts';
import { homeDe } from './home/de.ts';
import { importOptionsDe } from './import-options/de.ts';
import { shellDe } from './shell/de.ts';
import { sourcesDe } from './sources/de.ts';
import { tileDe } from './tile/de.ts';

export const de: Messages = {
  product: 'Belvedere',
  cancel: 'Abbrechen',
  passwordField: { showPassword: 'Passwort anzeigen', hidePassword: 'Passwort verbergen' },
  sharing: {
    record: 'Verantwortliche und Prüfvermerk …',
    share: 'Teilen',
    menu: 'Teilen …',
    folder: 'Ordner teilen',
    all: 'Alle Dashboards teilen',
  },
  actions: {
    more: 'Weitere Aktionen',
    of: (title: string) => `Aktionen für ${title}`,
    open: 'Öffnen',
    rename: 'Umbenennen',
    renameMenu: 'Umbenennen …',
    renameTitle: (title: string) => `„${title}“ umbenennen`,
    moveMenu: 'Verschieben …',
    moveTitle: (title: string) => `„${title}“ verschieben`,
    duplicate: 'Duplizieren',
    copyOf: (title: string) => `${title} (Kopie)`,
    editCopy: 'Kopie bearbeiten',
    trash: 'In den Papierkorb verschieben',
  },
  problems: germanProblems,
  errors: {
    notFoundTitle: 'Seite nicht gefunden',
    notFoundText: 'Diese Seite existiert nicht, oder Sie haben keinen Zugriff darauf.',
    noAccountsTitle: 'Dafür sind Konten nötig',
    noAccountsText:
      'Diese Seite ist für Teams, und dieses Belvedere hat keine Konten. Mit `belvedere serve` hat es welche.',
    goHome: 'Zur Startseite',
    brokenTitle: 'Etwas ist schiefgelaufen',
    brokenText: 'Ein unerwarteter Fehler ist aufgetreten. Ihre Daten sind nicht betroffen.',
    reload: 'Neu laden',
    unreachable: 'Belvedere ist nicht erreichbar. Läuft es noch?',
  },
  editing: { line: (line, column) => `Zeile ${line}, Spalte ${column}` },
  ...shellDe,
  ...homeDe,
  ...dashboardDe,
  ...filtersDe,
  ...tileDe,
  ...downloadsDe,
  ...dataDe,
  ...sourcesDe,
  ...importOptionsDe,
};
