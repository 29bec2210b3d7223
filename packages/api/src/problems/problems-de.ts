import type { ProblemWords } from './problem-message.ts';

export const germanProblems: ProblemWords = {
  kept: 'Der Eigentümer des Dashboards sieht die Einzelheiten und kann das Problem beheben.',
  notAddedUp:
    'Mediane und Anzahlen verschiedener Werte lassen sich nicht zusammenzählen. ' +
    'Diese Seite enthält sie deshalb nicht für diesen Filter oder diese Auswahl. Setzen Sie sie zurück, um die Kachel zu sehen.',
  signIn: 'Melden Sie sich an, um fortzufahren.',
  storage: {
    'disk-full':
      'Der Datenträger ist voll, oder das Kontingent ist ausgeschöpft. Schaffen Sie Platz und versuchen Sie es erneut; ein Neustart ist nicht nötig.',
    'read-only':
      'Der Ordner ist schreibgeschützt. Öffnen Sie einen beschreibbaren Ordner, oder heben Sie den Schreibschutz auf.',
    'no-permission':
      'Belvedere fehlt das Recht dazu. Geben Sie dem Konto, unter dem Belvedere läuft, Lese- und Schreibrechte für den Ordner.',
    'disk-failed': 'Der Datenträger meldet einen Fehler. Prüfen Sie ihn, bevor Sie weiterarbeiten.',
    'too-many-files':
      'Zu viele Dateien sind gleichzeitig geöffnet. Versuchen Sie es gleich noch einmal, oder erhöhen Sie die Grenze des Systems.',
    'in-use': 'Ein anderes Programm hat die Datei gesperrt. Schließen Sie es und versuchen Sie es erneut.',
    damaged:
      'Die Aufzeichnungen von Belvedere sind beschädigt. Starten Sie Belvedere neu: Die beschädigte Datei wird beiseitegelegt und aufbewahrt.',
    'taken-over':
      'Ein anderer Belvedere-Server hat diesen Ordner übernommen. Arbeiten Sie dort weiter; dieser schreibt nichts mehr.',
    unreachable:
      'Die Zustandsdatenbank ist nicht erreichbar. Prüfen Sie, ob der PostgreSQL-Server läuft und die Anmeldung annimmt; ein Neustart von Belvedere ist nicht nötig.',
  },
  types: {
    'document-invalid': [
      'Das Dokument hat Fehler',
      'Bessern Sie die genannten Zeilen aus. Nichts wurde gespeichert, nichts ging verloren.',
    ],
    'revision-conflict': [
      'Es wurde inzwischen geändert',
      'Nichts wurde überschrieben. Laden Sie neu, oder wählen Sie einen anderen Namen.',
    ],
    'not-found': [
      'Nicht gefunden oder nicht mit Ihnen geteilt',
      'Gehen Sie zum Start, oder fragen Sie, wer Ihnen die Adresse gab.',
    ],
    'not-signed-in': [
      'Nicht angemeldet',
      'Eine neue Adresse gibt „npm start -- open PFAD“ im Ordner von Belvedere auf diesem Computer.',
    ],
    'not-allowed': [
      'Nicht erlaubt',
      'Das dürfen Sie nicht sehen oder tun. Wem es gehört, kann es Ihnen erlauben.',
    ],
    'link-ended': [
      'Dieser Link gilt nicht mehr',
      'Er ist abgelaufen, wurde zurückgezogen oder schon zu oft geöffnet. Fragen Sie, wer ihn Ihnen gab.',
    ],
    'embed-refused': [
      'Dieses Dashboard kann hier nicht gezeigt werden',
      'Das Token der Seite, die es einbettet, wurde abgelehnt. Laden Sie die Seite neu, oder fragen Sie, wer sie betreibt.',
    ],
    'passphrase-needed': [
      'Dieser Link braucht eine Passphrase',
      'Wer Ihnen den Link gab, kennt auch die Passphrase.',
    ],
    'passphrase-wrong': [
      'Die Passphrase stimmt nicht',
      'Achten Sie auf Groß- und Kleinschreibung, oder fragen Sie, wer Ihnen den Link gab.',
    ],
    'confirmation-needed': [
      'Passwort bestätigen',
      'Das ändert, wer was darf. Geben Sie dafür Ihr Passwort ein; das gilt zehn Minuten.',
    ],
    'request-invalid': ['Ungültige Anfrage', 'Ein Teil der Anfrage fehlt oder ist von falscher Art.'],
    'request-too-large': [
      'Die Anfrage ist zu groß',
      'Senden Sie weniger auf einmal. Dateien kommen in Stücken von höchstens 8 MiB.',
    ],
    'field-unknown': [
      'Unbekanntes Feld',
      'Das Modell hat kein Feld dieses Namens. Nehmen Sie das vorgeschlagene.',
    ],
    'type-mismatch': [
      'Die Typen passen nicht zusammen',
      'Text, Zahlen und Zeiten lassen sich nicht mischen. Wandeln Sie eines davon um.',
    ],
    'expression-invalid': ['Der Ausdruck hat einen Fehler', 'Die Meldung nennt die Stelle.'],
    'function-unsupported': [
      'Unbekannte Funktion',
      'Ausdrücke kennen die Funktionen, die in der Anleitung zu Modellen stehen.',
    ],
    'source-unreachable': [
      'Die Quelle ist nicht erreichbar',
      'Es wird von selbst wieder versucht. Die Seite „Daten“ sagt, was geschah.',
    ],
    'source-refused': [
      'Die Quelle hat abgelehnt',
      'Prüfen Sie Anmeldung und Rechte der Quelle und danach auf der Seite „Daten“ die Verbindung.',
    ],
    'source-unconfirmed': [
      'Die Quelle wartet auf Bestätigung',
      'Bestätigen Sie sie auf ihrer Seite unter „Daten“. Bis dahin wird nichts verbunden oder gesendet.',
    ],
    'source-paused': [
      'Die Quelle ist pausiert',
      'Administratoren können sie auf ihrer Seite unter „Daten“ fortsetzen.',
    ],
    'table-gone': [
      'Eine Tabelle fehlt',
      'Legen Sie die Datei zurück, oder ändern Sie die Tabelle im Modell.',
    ],
    'column-gone': [
      'Eine Spalte fehlt',
      'Ändern Sie ihren Namen im Modell. Die Seite „Daten“ nennt den wahrscheinlichen neuen.',
    ],
    'still-reading': ['Wird noch gelesen', 'Die Seite öffnet sich von selbst, sobald die Daten da sind.'],
    'query-failed': [
      'Die Abfrage ist fehlgeschlagen',
      'Die Datenbank hat einen Fehler gemeldet. Der Eigentümer des Dashboards muss ihn beheben.',
    ],
    'query-timeout': [
      'Zeitüberschreitung der Abfrage',
      'Die Abfrage wurde abgebrochen. Grenzen Sie sie mit einem Filter ein.',
    ],
    'cancelled-by-admin': [
      'Die Abfrage wurde abgebrochen',
      'Ein Administrator hat sie abgebrochen. Sie können sie erneut ausführen.',
    ],
    'query-cancelled': ['Die Abfrage wurde abgebrochen', 'Das Ergebnis wurde nicht mehr gebraucht.'],
    'query-too-large': [
      'Das Ergebnis ist zu groß',
      'Gruppieren Sie gröber, oder grenzen Sie mit einem Filter ein.',
    ],
    'file-unreadable': [
      'Eine Datei konnte nicht gelesen werden',
      'Bessern Sie die Datei aus; sie wird dann von selbst neu gelesen.',
    ],
    'upload-damaged': [
      'Die Datei kam nicht unversehrt an',
      'Es wurde nichts übernommen. Senden Sie die Datei noch einmal.',
    ],
    'rate-limited': ['Zu viele Anfragen', 'Warten Sie einige Sekunden.'],
    overloaded: ['Zu viele Abfragen gleichzeitig', 'Versuchen Sie es in einigen Sekunden noch einmal.'],
    'state-unavailable': [
      'Speichern ist derzeit nicht möglich',
      'Schaffen Sie Platz, oder geben Sie Schreibrechte. Was noch nicht gespeichert ist, bleibt im Browser.',
    ],
    'not-offline': [
      'Auf dieser Seite nicht verfügbar',
      'Diese Seite enthält keine Daten für diesen Filter oder diese Auswahl. Setzen Sie sie zurück, um die Kachel zu sehen.',
    ],
    'upload-refused': [
      'Der Upload wurde abgelehnt',
      'Die Datei ist zu groß. Legen Sie sie in den Ordner des Arbeitsbereichs, oder erhöhen Sie `limits.uploadSize`.',
    ],
    internal: [
      'Etwas ist schiefgegangen',
      'Der Rest der Seite funktioniert weiter. Einzelheiten stehen im Protokoll.',
    ],
  },
};
