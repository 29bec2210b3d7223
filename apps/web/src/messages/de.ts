import { accessAddress, germanProblems } from '@belvedere/api';
import type { Messages } from './en.ts';

export const de: Messages = {
  product: 'Belvedere',
  nav: { label: 'Hauptmenü', home: 'Start', data: 'Daten', menu: 'Menü', pinned: 'Dashboards' },
  header: { search: 'Suchen', theme: 'Zwischen hell und dunkel wechseln', skip: 'Zum Inhalt springen' },
  connection: { lost: 'Die Verbindung zu Belvedere ist unterbrochen. Was Sie sehen, bleibt; es holt von selbst auf.', lacking: 'Ein Teil dieser Seite konnte nicht geladen werden: vielleicht gibt es ein neueres Belvedere. Was Sie sehen, bleibt; neu geladen ist sie vollständig.', signedOut: 'Dieser Browser ist nicht mehr angemeldet. Öffnen Sie die Adresse, die „npm start -- open PFAD“ auf diesem Computer ausgibt. Diese Seite bleibt und wird dann aktualisiert.' },
  palette: { label: 'Gehe zu oder tue', placeholder: 'Zu einem Dashboard oder einer Tabelle gehen oder etwas tun …', empty: 'Nichts passt.', dashboards: 'Dashboards', overviews: 'Übersichten', tables: 'Tabellen', actions: 'Tun', toHome: 'Zum Start', toData: 'Zu den Daten', clear: 'Auswahl und Filter aufheben', theme: 'Helligkeit wechseln', api: 'Die API-Dokumentation lesen' },
  keys: {
    title: 'Tasten', next: 'dann', signs: { control: 'Strg', shift: 'Umschalt', enter: 'Eingabe', escape: 'Esc', remove: 'Entf', pageDown: 'Bild ↓' }, letters: 'Buchstaben und Zeichen tun von sich aus etwas', lettersHint: 'Aus werden nur Tasten mit Strg oder ⌘ gehört: für alle, die mit dem Rechner sprechen oder deren Hand abgleitet. Diese Liste steht auch in der Palette.',
    everywhere: 'Überall', go: 'Irgendwohin gehen oder etwas tun', list: 'Diese Tasten', navigation: 'Navigation zeigen oder verbergen',
    dashboard: 'Auf einem Dashboard', refresh: 'Neu fragen', filters: 'Zu den Filtern', fullScreen: 'Ganzer Bildschirm', kiosk: 'Für die Wand: nur das Dashboard, Seite um Seite', leaveKiosk: 'Verlassen (K)', clearSelections: 'Auswahl aufheben',
    tile: 'Auf einer Kachel', toTile: 'Von ihrem Inhalt zur Kachel selbst', walkTiles: 'Zur nächsten Kachel in der Richtung', intoTile: 'In die Kachel hinein', date: 'Zum Zeitraum', chart: 'In einem Diagramm', walk: 'Von Marke zu Marke', select: 'Die Marke auswählen', brush: 'Einen Bereich auswählen', open: 'Die Marke öffnen', panels: 'Zu einem anderen von vielen Diagrammen', closer: 'Zeiten und Zahlen näher betrachten', farther: 'Von weiter weg betrachten',
  },
  home: {
    favourite: title => `Favorit: ${title}`, moveFolder: 'Den Ordner umbenennen oder verschieben', moveTo: 'Sein Name (mit / für Ordner)', move: 'Verschieben', allFolders: 'Alle Ordner', showAll: count => `Alle ${count} zeigen`, bin: count => `Im Papierkorb (${count})`, restore: 'Zurückholen', firstPage: 'Seite 1', create: 'Neues Dashboard', about: 'Worüber', empty: 'Leer beginnen', fromOverview: 'Mit der Übersicht beginnen', title: 'Start',
    greeting: title => title,
    status: (dashboards, tables, reading, failed) => [`${plural(dashboards, 'Dashboard', 'Dashboards')}, ${plural(tables, 'Tabelle', 'Tabellen')}.`, reading > 0 ? `${plural(reading, 'Tabelle wird', 'Tabellen werden')} gerade gelesen.` : '', failed > 0 ? `${plural(failed, 'Datei konnte', 'Dateien konnten')} nicht gelesen werden.` : ''].filter(Boolean).join(' '),
    saved: 'Dashboards', overviews: 'Übersichten Ihrer Tabellen', overviewsHint: 'Aus den Daten gemacht. Nichts ist gespeichert, bis Sie es speichern.',
    all: 'Alle Dashboards', name: 'Name', folder: 'Ordner', tiles: 'Kacheln', updated: 'Geändert', state: 'Zustand',
    emptyTitle: 'Hier ist noch nichts', emptyText: 'Legen Sie CSV-, JSON-, Parquet- oder Excel-Dateien hier oder im Ordner ab: Jede wird sofort zu einer Tabelle mit eigener Übersicht.',
    thumbnail: title => `Bild von ${title}`,
    search: 'Dashboards suchen', noMatch: 'Kein Dashboard hat das im Titel, in seinen Texten oder Feldern.',
  },
  states: { ready: 'Bereit', reading: 'Wird gelesen', broken: 'Hat Fehler', waiting: 'Wartet', rejected: 'Nicht lesbar', stopped: 'Angehalten', saved: 'Gespeichert', overview: 'Übersicht' },
  dashboard: {
    edit: 'Bearbeiten', pages: 'Seiten', save: 'Speichern', saveAs: 'Dashboard speichern', saveName: 'Name', saveHint: 'Es wird eine Datei im Ordner „dashboards“, zum Lesen, Ändern und Prüfen.',
    dataTime: time => `Daten bis ${time}`, problems: count => `${plural(count, 'Fehler', 'Fehler')} in diesem Dokument`,
    readingTitle: 'Wird gelesen', readingText: 'Die Daten dieses Dashboards werden noch gelesen. Es öffnet sich von selbst.',
    readingTable: (name, percent) => (percent === undefined ? name : `${name}: ${percent} %`),
    brokenTitle: 'Dieses Dashboard kann nicht gezeigt werden', brokenText: 'Seine Datei hat Fehler. Beheben Sie sie, und diese Seite folgt.',
    waitsFor: source => `„${source}“ wartet auf Ihre Bestätigung. Bis dahin bleiben ihre Kacheln leer.`, confirmSource: 'Ansehen und bestätigen',
    staleLink: 'Ein Teil dieses Links passt nicht mehr zum Dashboard und wurde weggelassen.',
    stale: age => `Veraltet: ${age} alt`,
    zone: zone => `Zeiten wie in ${zone}`, takeAway: 'Herunterladen', print: 'Drucken',
  },
  notes: {
    menu: count => (count > 0 ? `Ereignisse (${count})…` : 'Ereignis notieren…'), title: 'Was geschah', hint: 'Steht in den Zeitdiagrammen dieses Dashboards, für alle, die es sehen.', add: 'Neues Ereignis', changeTitle: 'Ereignis ändern', from: 'Tag oder erster Tag', to: 'Letzter Tag (freiwillig)', what: 'Was geschah', save: 'Speichern', cancel: 'Abbrechen', undo: 'Rückgängig',
    order: 'Es endet, bevor es beginnt.', change: text => `„${text}“ ändern`, remove: text => `„${text}“ entfernen`, removed: text => `Entfernt: ${text}`,
  },
  views: {
    label: 'Ihre Ansichten', save: 'Diese Ansicht sichern …', saveTitle: 'Diese Ansicht sichern', saveHint: 'Filter, Auswahlen und was an Kacheln geändert wurde, unter einem eigenen Namen. Niemand sonst sieht sie.', name: 'Name', keep: 'Sichern', replaces: 'Eine Ansicht dieses Namens gibt es; sie wird ersetzt.', remove: name => `„${name}“ entfernen`,
    asLeft: what => `Wie zuletzt (${what})`,
  },
  filters: {
    label: 'Filter', button: count => (count > 0 ? `Filter (${count})` : 'Filter'), all: 'Alle', any: 'Jederzeit', clear: 'Aufheben', reset: 'Zurücksetzen', apply: 'Anwenden', search: 'Werte suchen', none: 'Kein Wert passt.', hint: 'Was auf einem Diagramm ausgewählt wird, gilt für alle anderen.',
    cut: count => `Die ersten ${count}; suchen Sie nach anderen.`, from: 'Von', to: 'Bis', contains: 'Enthält', relative: 'Relativer Zeitraum', relativeHint: 'last 30 days, this month',
    relativeError: 'Schreiben Sie `last 30 days` oder `this month`.', presets: 'Zeiträume', last: text => `Letzte ${germanDuration(text)}`, this: unit => `Diese Zeit: ${germanUnits[unit] ?? unit}`, range: (from, to) => `${from} bis ${to}`,
    notNumber: 'Keine Zahl.', selected: (tile, what) => `${tile}: ${what}`, selectionOn: tile => `die Auswahl auf ${tile}`, removeSelection: tile => `Auswahl auf ${tile} aufheben`, locked: 'Festgelegt',
    least: value => `mindestens ${value}`, below: value => `unter ${value}`, calendar: 'Tage', not: values => `alle außer ${values}`, removeFilter: field => `Filter auf ${field} aufheben`, compare: 'Vergleichen', compareWith: { made: 'Wie gemacht', 'previous period': 'Zeitraum davor', 'previous year': 'Vorjahr', nothing: 'Nicht', custom: 'Andere Tage …' },
  },
  tile: {
    loading: 'Lädt', forbidden: 'Nicht für Sie freigegeben', forbiddenText: 'Hier steht etwas, das Sie nicht sehen dürfen.', emptyTitle: 'Nichts zu zeigen', emptyText: 'Unter den Filtern bleibt keine Zeile übrig.', noRows: 'Es gibt keine Zeilen.', emptyUnder: filters => `Keine Zeile bleibt übrig unter ${filters}.`, failed: 'Das konnte nicht beantwortet werden', retry: 'Noch einmal versuchen', asTable: 'Als Tabelle zeigen', asChart: 'Als Diagramm zeigen', large: 'Groß zeigen', small: 'In der Seite zeigen',
    clear: 'Auswahl aufheben', compared: 'gegen', nothingBefore: 'Keine Daten im Zeitraum davor', zeroBefore: zero => `${zero} im Zeitraum davor`, nothingToCompare: 'Zum Vergleichen einen Zeitraum setzen', comparisonNotOffline: 'Vergleich offline nicht verfügbar', notApplied: fields => `Nicht gefiltert nach ${fields}`, lastAnswer: time => `Quelle nicht erreichbar: Stand ${time}`, filled: { zero: 'Null, wo nichts ist', carry: 'Der letzte Wert, wo nichts ist', interpolate: 'Geradewegs weiter, wo nichts ist' }, nearBrush: 'Ungefähr, solange Sie auswählen', coarser: unit => `Nach ${unit} gezeigt, damit es passt`, sampled: (rows, of) => `Ungefähr: ${rows} von ${of} Zeilen`,
    outside: share => `${share} außerhalb der Achse`, noValue: share => `${share} ohne Wert`,
    chartHelp: 'Pfeiltasten gehen von Marke zu Marke, Eingabe wählt aus, Umschalt mit Pfeilen wählt einen Bereich, Escape hebt auf.', of: 'von', selectedRange: what => `Ausgewählt: ${what}`, cleared: 'Auswahl aufgehoben',
    menu: 'Mehr', rows: 'Die Zeilen ansehen', rowsOfSelection: 'Die Zeilen der Auswahl ansehen', rowsOf: tile => `Die Zeilen hinter „${tile}“`, grain: 'Zeitliche Körnung', breakOut: 'Aufteilen nach', open: 'Ausgewählte Marke öffnen', goWith: 'Mit der Auswahl weitergehen', asMade: 'Wie es gemacht war', keepOnly: 'Nur die Auswahl behalten', exclude: 'Die Auswahl ausschließen',
    zoom: 'Die Auswahl aus der Nähe', zoomOut: 'Wieder ganz', earlier: 'Früher', later: 'Später',
    copyText: 'Als Text kopieren', copyPicture: 'Als Bild kopieren', copyLink: 'Link kopieren', takeAway: 'Herunterladen', trail: 'Geöffnete Marken', allOfIt: 'Alles', sinceBefore: 'Seit dem davor', points: points => `${points} Punkte`, shareOfAll: 'Anteil an allem', legendHint: 'Klick zeigt nur diese, mit Umschalt nimmt er sie weg',
  },
  units: { year: 'Jahr', quarter: 'Quartal', month: 'Monat', week: 'Woche', day: 'Tag', hour: 'Stunde', minute: 'Minute', fiscalQuarter: 'Geschäftsquartal', fiscalYear: 'Geschäftsjahr' },
  seeAs: { label: 'Sehen als …', person: (name: string) => `Sehen als ${name}`, now: (name: string) => `Sie sehen alles wie ${name}: deren Zeilen, deren Felder.`, back: 'Zurück zu sich selbst' },
  taking: {
    making: format => `${format} wird erstellt`, coming: (format, size) => `${format}: bisher ${size}`, stop: 'Abbrechen', close: 'Schließen',
    copied: 'Kopiert', notCopied: 'Ließ sich nicht kopieren. Erlauben Sie dem Browser für diese Seite das Kopieren, oder laden Sie es herunter.',
  },
  formats: { png: 'Bild (PNG)', svg: 'Zeichnung (SVG)', pdf: 'PDF', csv: 'Text (CSV)', xlsx: 'Excel (XLSX)', parquet: 'Parquet', html: 'Eine Seite, die offline aufgeht (HTML)' },
  pivot: { total: 'Gesamt' },
  table: { course: (unit, from, to, least, most, last) => `Verlauf (${unit}), ${from} bis ${to}: mindestens ${least}, höchstens ${most}, zuletzt ${last}`, columns: 'Spalten', region: title => `${title}: Tabelle`, next: 'Nächste Seite', previous: 'Vorige Seite', sort: column => `Nach ${column} sortieren`, page: (from, to, total) => `${from}–${to} von ${total}` },
  data: {
    explore: 'Erkunden', title: 'Daten', source: 'Dateien', status: (tables, rows) => `${plural(tables, 'Tabelle', 'Tabellen')}, ${rows} Zeilen`, table: 'Tabelle', rows: 'Zeilen', columns: 'Spalten', size: 'Größe', files: 'Dateien', state: 'Zustand',
    leftOut: 'Dateien, die keine Tabellen sind', sql: 'Mit SQL fragen', editModel: 'Modell bearbeiten', openOverview: 'Übersicht öffnen', preview: 'Erste Zeilen', columnsTitle: 'Spalten', reportTitle: 'Wie sie gelesen wurde', type: 'Typ', nulls: 'Kein Wert', empties: 'Leer', distinct: 'Verschiedene', range: 'Bereich', top: 'Am häufigsten', column: 'Spalte', search: 'Spalten suchen',
    report: (read, kept, rejected) => `${read} Zeilen gelesen = ${kept} behalten + ${rejected} abgewiesen`, encoding: 'Kodierung', delimiter: 'Trennzeichen', header: 'Kopfzeile', yes: 'Ja', no: 'Nein', rejected: 'Abgewiesene Zeilen', downloadRejected: 'Als CSV herunterladen', line: 'Zeile', reason: 'Grund', text: 'Text', tab: 'Tabulator', empty: 'Noch keine Tabelle. Legen Sie Datendateien in den Ordner, und sie erscheinen hier.',
    columnsCut: (shown, total) => `${shown} von ${total} Spalten`,
  },
  uploads: {
    title: 'Daten hinzufügen', drop: 'Dateien ablegen, um sie zu Ihren Daten zu legen', add: 'Dateien hinzufügen', sending: 'Wird gesendet', reading: 'Wird gelesen', there: 'Eine Datei dieses Namens gibt es schon.', replace: 'Ersetzen', keepBoth: 'Beide behalten', close: 'Schließen', pasted: 'eingefuegt',
    changed: (before, after, added, gone) => [`Vorher ${before} Zeilen, jetzt ${after}.`, added ? `Neue Spalten: ${added}.` : '', gone ? `Weggefallene Spalten: ${gone}.` : ''].filter(Boolean).join(' '),
  },
  sources: {
    title: 'Datenbanken', empty: 'Noch keine. Verbinden Sie PostgreSQL, MySQL, MariaDB oder ClickHouse, und deren Tabellen sind hier, als wären sie Dateien.', connect: 'Eine Datenbank verbinden', kind: 'Art der Datenbank',
    kinds: { postgres: 'PostgreSQL', mysql: 'MySQL oder MariaDB', clickhouse: 'ClickHouse', duckdb: 'DuckDB', sqlite: 'SQLite' }, states: { unconfirmed: 'Nicht bestätigt', unchecked: 'Noch nicht versucht', connecting: 'Verbindet', ready: 'Bereit', degraded: 'Gestört', failed: 'Nicht erreicht' },
    name: 'Name', host: 'Rechner', port: 'Port', hostError: 'Nur Name oder Adresse: ohne https://, der Port daneben', portError: 'Eine Zahl von 1 bis 65535', database: 'Datenbank', user: 'Benutzer', password: 'Passwort', test: 'Verbindung prüfen', trying: 'Versucht …', retry: 'Noch einmal versuchen',
    hint: 'Fügen Sie eine Adresse wie postgres://user:passwort@host/datenbank bei „Rechner“ ein, oder füllen Sie die Felder aus. Geben Sie ihr einen Benutzer, der nur lesen darf. Die Verbindung wird eine Datei im Ordner „sources“; das Passwort liegt daneben, wo nur dieses Konto es lesen darf.',
    reached: (server, tables) => `Erreicht: ${server}, ${plural(tables, 'Tabelle', 'Tabellen')}.`, tables: count => plural(count, 'Tabelle', 'Tabellen'), watermarks: 'Wie neu die Daten sind', tablesTitle: 'Tabellen', columns: count => plural(count, 'Spalte', 'Spalten'), about: rows => `etwa ${rows} Zeilen`, view: 'Sicht', since: time => `seit ${time}`, drift: 'Was sich in ihren Tabellen geändert hat', search: 'Tabellen suchen',
    unconfirmed: 'Diese Quelle kam mit dem Arbeitsbereich. Wenn Sie ihr vertrauen, wird Belvedere:', trust: 'Vertrauen und verbinden', trustHint: 'Bis dahin wird nichts nachgeschlagen, verbunden oder gesendet. Vertrauen Sie ihr nur, wenn Sie wissen, von wem dieser Arbeitsbereich stammt.', review: 'Ansehen',
    access: access => {
      const { path, database, user, password, authority, tls } = access;
      if (path !== undefined) return `${path} lesen; die Datei liegt außerhalb des Arbeitsbereichs.`;
      const named = ({ from, name }: NonNullable<typeof password>) => (from === 'env' ? `die Umgebungsvariable ${name}` : `das Geheimnis ${name}`);
      return [
        `Sich mit ${accessAddress(access)} als ${user} verbinden, Datenbank ${database}, und ${password ? `dabei ${named(password)} senden` : 'kein Passwort senden'}.`,
        ...(tls === 'off' ? ['Die Verbindung ist nicht verschlüsselt.'] : []),
        ...(authority ? [`Dem Server wird aufgrund des Zertifikats vertraut, das ${named(authority)} enthält.`] : []),
      ].join(' ');
    },
    change: 'Verbindung ändern', unchanged: 'unverändert', changeHint: 'Ein hier eingegebenes Passwort gehört zu seinem Rechner, Port und Benutzer: Geben Sie es für andere neu ein.',
  },
  reading: {
    progress: (percent, file) => `Wird gelesen, ${percent} %${file ? ` (Datei ${file.number.toLocaleString('de')} von ${file.of.toLocaleString('de')})` : ''}`,
    stop: 'Lesen anhalten', again: 'Noch einmal lesen', stopped: 'Das Lesen wurde angehalten. Was davor gelesen worden war, bleibt in Gebrauch.',
    title: 'Wie diese Tabelle gelesen wird', open: 'Ändern, wie sie gelesen wird', guess: 'Wie erraten', skip: 'Zeilen über der Kopfzeile', decimal: 'Zahlen sehen aus wie', dates: 'Daten beginnen mit', nulls: 'Texte, die keinen Wert bedeuten', columns: 'Typen der Spalten', nested: 'Objekte in Objekten', nestings: { columns: 'Eigene Spalten', text: 'JSON als Text' }, save: 'Speichern und neu lesen', cancel: 'Abbrechen',
    orders: { 'day first': 'dem Tag', 'month first': 'dem Monat', 'year first': 'dem Jahr' },
    hint: table => `Was Sie entscheiden, steht im Arbeitsbereich als „tables/${table}.yaml“; der Rest bleibt eine Vermutung.`,
    nearly: (column, type, fits, all) => `${fits} von ${all} Werten in „${column}“ haben den Typ „${type}“. Die Spalte bleibt Text wegen:`, decide: (type, misfits) => `Als „${type}“ lesen, ${plural(misfits, 'Wert', 'Werte')} weglassen`, misfit: (value, file, line) => `„${value}“${file ? ` in ${file}` : ''}${line === undefined ? '' : `, Zeile ${line.toLocaleString('de')}`}`,
    question: (columns, example) => `Die Daten in „${columns}“ können auf zwei Weisen gelesen werden (etwa ${example}), und nichts in der Datei sagt, auf welche. Sie bleiben Text, bis Sie sagen, was zuerst kommt:`,
  },
  explain: {
    button: 'Diese Zahl erklären', title: tile => `Wie „${tile}“ zustande kam`, value: 'Wert', nothing: 'nichts', rows: 'Gelesene Zeilen', rowsOf: (rows, all) => `${rows} von ${all}`, nulls: 'Ohne Wert', filters: 'Filter', none: 'Keine', policies: 'Zeilenregeln', unbound: 'Sie gelten für den Eigentümer nicht', noPolicy: 'Keine gilt für diese Person: Keine Zeile ist ihre', unfit: '· ihre Merkmale passen nicht dazu', notApplied: 'Nicht angewandt', from: 'Aus', joins: 'Verbunden über', dataTime: 'Daten bis', zone: 'Zeiten wie in',
    owners: { model: '· vom Modell', reader: '· hier gesetzt', dashboard: '· vom Dashboard', tile: '· von dieser Kachel', selection: '· ausgewählt auf', mark: '· die Marke' },
  },
  types: { integer: 'ganze Zahl', decimal: 'Dezimalzahl', number: 'Zahl', text: 'Text', boolean: 'ja oder nein', date: 'Datum', time: 'Datum und Uhrzeit', instant: 'Zeitpunkt', other: 'verschachtelt' },
  problems: germanProblems,
  errors: { notFoundTitle: 'Nicht hier', notFoundText: 'Unter dieser Adresse ist nichts, oder es ist nicht mit Ihnen geteilt.', goHome: 'Zum Start', brokenTitle: 'Diese Seite ist stehen geblieben', brokenText: 'Ein Fehler von Belvedere. Ihre Daten sind unberührt.', reload: 'Neu laden', unreachable: 'Belvedere antwortet nicht. Läuft es noch?' },
  language: { title: 'Sprache', name: 'Deutsch' },
  editing: { line: (line, column) => `Zeile ${line}, Spalte ${column}` },
};

function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString('de')} ${count === 1 ? one : many}`;
}

const germanUnits: Readonly<Record<string, string>> = { minute: 'Minute', hour: 'Stunde', day: 'Tag', week: 'Woche', month: 'Monat', quarter: 'Quartal', year: 'Jahr', fiscalQuarter: 'Geschäftsquartal', fiscalYear: 'Geschäftsjahr' };
const germanPlurals: Readonly<Record<string, string>> = { minute: 'Minuten', hour: 'Stunden', day: 'Tage', week: 'Wochen', month: 'Monate', quarter: 'Quartale', year: 'Jahre', fiscalQuarter: 'Geschäftsquartale', fiscalYear: 'Geschäftsjahre' };

/** `90 days` as `90 Tage`. */
function germanDuration(text: string): string {
  const [count, unit = ''] = text.split(' ');
  const one = unit.replace(/s$/, '');
  return `${count} ${Number(count) === 1 ? (germanUnits[one] ?? unit) : (germanPlurals[one] ?? unit)}`;
}
