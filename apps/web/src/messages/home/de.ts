import { pluralIn } from '../plural-in.ts';
import type { HomeMessages } from './en.ts';

const plural = pluralIn('de');

export const homeDe: HomeMessages = {
  home: {
    show: 'Anzeigen',
    showEverything: 'Alle',
    filters: {
      favourites: 'Favoriten',
      shared: 'Mit mir geteilt',
      mine: 'Eigene',
      verified: 'Geprüft',
      unused: 'Seit 90 Tagen ungenutzt',
    },
    tags: 'Schlagwörter',
    owner: 'Verantwortlich',
    views: 'Aufrufe, 7 Tage',
    formerUser: 'einem früheren Mitglied',
    verifiedBy: (name, at, until) => `Geprüft von ${name} am ${at}, gültig bis ${until}`,
    noneHere: 'Hier gibt es keine Dashboards.',
    favourite: title => `Favorit: ${title}`,
    moveFolder: 'Ordner umbenennen oder verschieben',
    moveTo: 'Name (Unterordner mit /)',
    move: 'Verschieben',
    allFolders: 'Alle Ordner',
    showAll: count => `Alle ${count} anzeigen`,
    moreTables: (count: number) => `Weitere Tabellen (${count})`,
    trash: count => `Papierkorb (${count})`,
    restore: 'Wiederherstellen',
    firstPage: 'Seite 1',
    create: 'Neues Dashboard',
    about: 'Modell',
    empty: 'Leeres Dashboard erstellen',
    fromOverview: 'Aus Übersicht erstellen',
    title: 'Start',
    greeting: title => title,
    status: (dashboards, tables, reading, failed) =>
      [
        `${plural(dashboards, 'Dashboard', 'Dashboards')}, ${plural(tables, 'Tabelle', 'Tabellen')}.`,
        reading > 0 ? `${plural(reading, 'Tabelle wird', 'Tabellen werden')} importiert.` : '',
        failed > 0 ? `${plural(failed, 'Datei konnte', 'Dateien konnten')} nicht importiert werden.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    saved: 'Dashboards',
    overviews: 'Tabellenübersichten',
    overviewsHint: 'Aus Ihren Daten erzeugt. Speichern Sie eine Übersicht, um sie zu behalten.',
    all: 'Alle Dashboards',
    name: 'Name',
    folder: 'Ordner',
    tiles: 'Kacheln',
    updated: 'Geändert',
    state: 'Status',
    list: 'Liste der Dashboards',
    chooseFiles: 'Dateien auswählen',
    addSample: 'Beispieldaten hinzufügen',
    emptyTitle: 'Noch keine Daten',
    emptyText:
      'Legen Sie CSV-, JSON-, Parquet- oder Excel-Dateien hier oder im Arbeitsbereich ab. Jede wird eine Tabelle mit Übersicht.',
    nothingSharedTitle: 'Noch wurde nichts mit Ihnen geteilt',
    nothingSharedText:
      'Bitten Sie einen Administrator dieses Arbeitsbereichs, ein Dashboard oder einen Ordner mit Ihnen zu teilen.',
    statusShared: (dashboards: number) => `${plural(dashboards, 'Dashboard', 'Dashboards')}.`,
    thumbnail: title => `Vorschau von ${title}`,
    search: 'Dashboards suchen',
    noMatch: 'Keine Dashboards entsprechen Ihrer Suche.',
  },
  phrases: {
    title: 'Diagramme',
    ask: 'Nach einem Diagramm fragen oder suchen …',
    examples: 'Zum Beispiel:',
    example: (measure: string, field: string) => `${measure} nach ${field}`,
    exampleOverTime: (measure: string) => `${measure} nach Monat`,
    exampleTop: (measure: string, field: string) => `${measure} nach ${field}, Top 10`,
    measure: (label: string) => `Kennzahl: ${label}`,
    by: (label: string) => `Nach: ${label}`,
    filter: (label: string, condition: string) => `${label}: ${condition}`,
    limited: (title: string, count: number, isLowest: boolean) =>
      `${title} (${isLowest ? 'die niedrigsten' : 'Top'} ${count})`,
    unknown: (words: string) => `Nicht verstanden: ${words}`,
  },
  trash: {
    title: 'Papierkorb',
    hint: days =>
      `Dashboards, Modelle, Alarme und Berichte bleiben hier ${days === 1 ? 'einen Tag' : `${days} Tage`}.`,
    kinds: { dashboard: 'Dashboard', model: 'Modell', alert: 'Alarm', report: 'Bericht' },
    empty: 'Der Papierkorb ist leer.',
  },
  exploring: {
    hint: 'Wählen Sie die Daten für Ihre Diagramme.',
    search: 'Modelle und Felder suchen',
    empty:
      'Noch keine Daten. Fügen Sie auf der Startseite Dateien hinzu, oder verbinden Sie unter „Daten“ eine Datenbank.',
  },
  search: {
    title: 'Suche',
    hint: 'Titel, Felder, Modelle und Tabellen suchen oder nach einem Diagramm fragen.',
  },
  tilesWithErrors: (count: number) =>
    count === 1 ? '1 Kachel hat einen Fehler' : `${count} Kacheln haben Fehler`,
  site: {
    noFilter: fields => `Diese veröffentlichte Seite kann nicht nach ${fields} filtern.`,
    fixedFilter: 'Dieser Filter lässt sich auf dieser veröffentlichten Seite nicht ändern.',
    twoFilters: 'Zwei Filter zugleich, oder eine Auswahl.',
    noSelections: 'Bei gesetztem Filter lassen sich Diagramme nicht auswählen.',
    someSelections: 'Bei gesetztem Filter lassen sich manche Diagramme nicht auswählen.',
    someTogether: 'Nicht alle Filter und Auswahlen lassen sich verbinden.',
    oneFilter: 'Jeweils ein Filter oder eine Auswahl.',
    failed: 'Die Seite konnte nicht geladen werden. Prüfen Sie die Verbindung, und laden Sie sie neu.',
  },
};
