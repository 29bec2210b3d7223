import { serverTexts } from '../../../scheduled/messages/server-texts-de.ts';
import { translateServerText } from '../../../scheduled/messages/translate-server-text.ts';
import { usersDe } from '../users/de.ts';
import type { SystemMessages } from './en.ts';

export const systemDe: SystemMessages = {
  system: {
    title: 'System',
    hint: 'Zustand des Servers und seine laufenden Abfragen.',
    healthy: 'Alles funktioniert.',
    unconfirmed: {
      title: 'Zu bestätigende Einstellungen',
      hint:
        'Sie stehen in belvedere.yaml und gelten erst, wenn ein Eigentümer sie bestätigt. ' +
        'Bestätigen Sie nur, was Sie oder Ihr Betreiber festgelegt haben.',
      effect: ({ kind, names, provider, secret, createsAccounts, roles: given = [] }) => {
        const named = names.join(', ');
        if (kind === 'breached-passwords')
          return `${named} außerhalb des Arbeitsbereichs lesen, wenn Passwörter gesetzt werden.`;
        if (kind === 'mail-server')
          return `Mails über ${named} senden, auch Links zum Zurücksetzen von Passwörtern.`;
        if (kind === 'mail-domains') return `Kanäle dürfen Mails an alle Adressen von ${named} senden.`;
        if (kind === 'webhook-hosts')
          return `Webhooks, Mail und Anmeldung an ${named} erlauben, auch in privaten Netzen und unverschlüsselt.`;
        return [
          `Benutzer mit ${provider} (${named}) anmelden`,
          ...(secret
            ? [
                secret.from === 'env'
                  ? `dabei die Umgebungsvariable ${secret.name} senden`
                  : `dabei das Geheimnis ${secret.name} senden`,
              ]
            : []),
          ...(createsAccounts ? ['Konten anlegen'] : []),
          ...(given.length > 0
            ? [`die Rollen ${given.map(role => usersDe.roles[role]).join(', ')} vergeben`]
            : []),
        ]
          .join(', ')
          .concat('.');
      },
      confirm: 'Bestätigen',
      confirmOf: effect => `Bestätigen: ${effect}`,
      onlyOwners: 'Nur Eigentümer können das bestätigen.',
    },
    stale: time => `Aktualisieren fehlgeschlagen. Stand: ${time}.`,
    problems: {
      saving: 'Änderungen können nicht gespeichert werden',
      state: 'Die Zustandsdatenbank war beschädigt',
      'audit-log': 'Die Datei des Audit-Protokolls kann nicht geschrieben werden',
      certificate: 'Das neue Zertifikat kann nicht verwendet werden',
      'clean-up': 'Abgelaufene Daten können nicht gelöscht werden',
      import: 'Tabellen, die nicht importiert werden konnten',
      documents: 'Dateien mit Fehlern',
    },
    queries: 'Abfragen',
    queriesHint: 'Laufende und wartende Abfragen. Abgebrochene Abfragen können erneut ausgeführt werden.',
    noQueries: 'Es laufen keine Abfragen.',
    counts: (running, waiting) => `${running} laufend, ${waiting} wartend`,
    running: 'Läuft',
    waiting: 'Wartet',
    rows: count => `${count} Zeilen gelesen`,
    cancelQuery: 'Abbrechen',
    cancelOf: (query, user) => `„${query}“ von ${user} abbrechen`,
    kinds: {
      sql: source => `SQL auf ${source}`,
      export: name => `Export von ${name}`,
      explore: model => `${model} erkunden`,
      model: model => `Abfrage von ${model}`,
    },
    files: 'Dateien',
    server: 'Server',
    version: 'Version',
    uptime: 'Laufzeit',
    memory: 'Belegter Speicher',
    restarts: 'Neustarts der Engine',
    certificateUntil: 'Zertifikat gültig bis',
    cache: 'Ergebnis-Cache',
    cacheHits: 'Treffer',
    cacheSize: 'Größe',
    executions: 'Ausgeführte Abfragen',
    of: (part, whole) => `${part} von ${whole}`,
    storage: 'Speicherplatz',
    database: 'Zustandsdatenbank',
    databases: { sqlite: 'SQLite', postgresql: 'PostgreSQL' },
    folders: {
      imports: 'Importierte Tabellen',
      caches: 'Caches',
      extracts: 'Kopien von Datenbanken',
      uploads: 'Unvollständige Uploads',
      backups: 'Sicherungen',
    },
    freeDisk: 'Freier Speicherplatz',
  },
  backups: {
    title: 'Sicherungen',
    hint: 'Alle Dateien und Aufzeichnungen des Arbeitsbereichs in einer Datei, die nur das Konto des Servers lesen kann.',
    off: 'Aus',
    on: 'An',
    everyDay: (time: string, zone: string) => `Täglich um ${time} Uhr (${zone})`,
    next: (time: string) => `Nächste: ${time}`,
    neverMade: 'Es gibt noch keine Sicherung.',
    kept: 'Aufbewahrte Sicherungen',
    folder: 'Ordner auf dem Server',
    last: 'Letzte Sicherung',
    current: 'Jetzt',
    now: 'Jetzt sichern',
    edit: 'Einrichten …',
    isFixed: 'Auf dem Server durch --backups festgelegt.',
    onlyOwners: 'Nur Eigentümer können das ändern.',
    sameDisk:
      'Dieser Ordner liegt auf dem Datenträger des Arbeitsbereichs. Ein Ordner auf einem anderen Datenträger ist sicherer.',
    list: 'Sicherungen in diesem Ordner',
    dialog: {
      title: 'Sicherungen einrichten',
      isOn: 'Täglich sichern',
      at: 'Uhrzeit',
      atHint: (zone: string) => `In der Zeitzone des Arbeitsbereichs, ${zone}.`,
      timeWrong: 'Geben Sie eine Uhrzeit wie 03:00 ein.',
      keptHint: 'Ältere werden gelöscht.',
      keptWrong: 'Geben Sie eine ganze Zahl von 1 bis 1000 ein.',
      folderHint:
        'Ein Ordner auf dem Server nur für diese Sicherungen, außerhalb des Arbeitsbereichs. Leer: neben dessen Aufzeichnungen.',
    },
  },
  jobs: {
    title: 'Aufträge',
    hint: 'Geplante Arbeiten: Extrakte, Prüfungen von Alarmen, Berichte, Versand, Sicherungen und Aufräumen.',
    kindsTitle: 'Arten von Aufträgen',
    kinds: {
      alert: 'Alarm',
      report: 'Bericht',
      delivery: 'Versand',
      backup: 'Sicherung',
      extract: 'Extrakt',
      'clean-up': 'Aufräumen',
      'comment-mail': 'E-Mail zu Kommentaren',
    },
    detailText: detail => translateServerText(detail, serverTexts),
    state: 'Status',
    kind: 'Art',
    allStates: 'Alle Zustände',
    allKinds: 'Alle Arten',
    states: {
      queued: 'Wartet',
      running: 'Läuft',
      done: 'Erledigt',
      'given-up': 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    empty: 'Keine Aufträge.',
    paused: 'Angehalten',
    pause: 'Anhalten',
    pauseOf: kind => `Aufträge der Art „${kind}“ anhalten`,
    resume: 'Fortsetzen',
    resumeOf: kind => `Aufträge der Art „${kind}“ fortsetzen`,
    cancel: 'Abbrechen',
    cancelOf: job => `„${job}“ abbrechen`,
    retry: 'Wiederholen',
    retryOf: job => `„${job}“ wiederholen`,
    due: time => `für ${time}`,
    tries: count => `${count}. Versuch`,
    nextTry: time => `nächster Versuch ${time}`,
  },
};
