import { accessAddress } from '@belvedere/api';
import { pluralIn } from '../plural-in.ts';
import type { SourcesMessages } from './en.ts';

const plural = pluralIn('de');

export const sourcesDe: SourcesMessages = {
  sources: {
    title: 'Datenbanken',
    empty:
      'Noch keine Datenbanken. Verbinden Sie PostgreSQL, MySQL, MariaDB, ClickHouse, DuckDB oder ' +
      'SQLite, um deren Tabellen wie Dateien zu verwenden.',
    connect: 'Datenbank verbinden',
    kind: 'Datenbanktyp',
    kinds: {
      postgres: 'PostgreSQL',
      mysql: 'MySQL oder MariaDB',
      clickhouse: 'ClickHouse',
      duckdb: 'DuckDB',
      sqlite: 'SQLite',
    },
    states: {
      unconfirmed: 'Nicht bestätigt',
      paused: 'Pausiert',
      unchecked: 'Noch nicht geprüft',
      connecting: 'Verbindung wird hergestellt',
      ready: 'Bereit',
      degraded: 'Beeinträchtigt',
      failed: 'Nicht erreichbar',
    },
    name: 'Name',
    path: 'Pfad der Datei',
    fileHint:
      'Der Pfad auf dem Computer, auf dem Belvedere läuft. Ein relativer Pfad beginnt im ' +
      'Arbeitsbereich. Tabellen werden importiert, bei Änderungen der Datei erneut.',
    host: 'Host',
    port: 'Port',
    hostError: 'Geben Sie nur einen Hostnamen oder eine Adresse ein, ohne https:// und ohne Port.',
    portError: 'Geben Sie eine Zahl von 1 bis 65535 ein.',
    database: 'Datenbank',
    user: 'Benutzername',
    password: 'Passwort',
    test: 'Verbindung testen',
    trying: 'Verbindung wird hergestellt …',
    retry: 'Erneut versuchen',
    refresh: 'Tabellen neu einlesen',
    hint:
      'Fügen Sie bei „Host“ eine URL wie postgres://benutzer:passwort@host/datenbank ein oder füllen Sie die Felder aus. ' +
      'Verwenden Sie einen Benutzer mit reinem Lesezugriff. Die Verbindung wird im Ordner „sources“ gespeichert, ' +
      'das Passwort getrennt davon und nur für dieses Konto lesbar.',
    reached: (server, tables) => `Verbunden: ${server}, ${plural(tables, 'Tabelle', 'Tabellen')}.`,
    tables: count => plural(count, 'Tabelle', 'Tabellen'),
    watermarks: 'Aktualität der Daten',
    tablesTitle: 'Tabellen',
    columns: count => plural(count, 'Spalte', 'Spalten'),
    about: rows => `ca. ${rows} Zeilen`,
    view: 'Sicht',
    since: time => `seit ${time}`,
    drift: 'Schemaänderungen',
    search: 'Tabellen suchen',
    unconfirmed: 'Diese Datenquelle ist Teil des Arbeitsbereichs. Wenn Sie ihr vertrauen, wird Belvedere:',
    trust: 'Vertrauen und verbinden',
    trustHint:
      'Bis dahin wird nichts verbunden oder gesendet. Vertrauen Sie ihr nur, wenn Sie den Ersteller des Arbeitsbereichs kennen.',
    review: 'Prüfen',
    access: access => {
      const { path, database, user, password, authority, tls } = access;
      if (path !== undefined) return `${path} lesen; die Datei liegt außerhalb des Arbeitsbereichs.`;
      const named = ({ from, name }: NonNullable<typeof password>) =>
        from === 'env' ? `die Umgebungsvariable ${name}` : `das Geheimnis ${name}`;
      return [
        `Sich mit ${accessAddress(access)} als ${user} verbinden, Datenbank ${database}, ` +
          (password ? `und dabei ${named(password)} senden.` : 'und kein Passwort senden.'),
        ...(tls === 'off' ? ['Die Verbindung ist nicht verschlüsselt.'] : []),
        ...(authority
          ? [`Dem Server wird aufgrund des Zertifikats vertraut, das ${named(authority)} enthält.`]
          : []),
      ].join(' ');
    },
    change: 'Verbindung bearbeiten',
    unchanged: 'unverändert',
    changeHint: 'Wenn Sie Host, Port oder Benutzernamen ändern, geben Sie das Passwort erneut ein.',
    pause: 'Pausieren…',
    resume: 'Fortsetzen',
    pauseTitle: label => `„${label}“ pausieren`,
    pauseHint:
      'Bis zum Fortsetzen sendet Belvedere keine Abfragen an sie. Kacheln zeigen ihre letzten Ergebnisse.',
    pauseReason: 'Grund (optional)',
    pauseNow: 'Pausieren',
    remove: 'Entfernen…',
    removeTitle: label => `„${label}“ entfernen?`,
    removeHint:
      'Ihre Datei und das gespeicherte Passwort werden gelöscht. Die Datenbank selbst ändert sich nicht.',
    removeModels:
      'Diese Modelle lesen sie. Dashboards damit zeigen Fehler, bis wieder eine Datenquelle dieses Namens verbunden ist:',
    removeNow: 'Entfernen',
    paused: 'Diese Datenquelle ist pausiert. Kacheln zeigen ihre letzten Ergebnisse.',
    pausedFor: reason => `Diese Datenquelle ist pausiert: ${reason}. Kacheln zeigen ihre letzten Ergebnisse.`,
  },
};
