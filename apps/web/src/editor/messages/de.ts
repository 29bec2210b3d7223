import type { EditorMessages } from './en.ts';
import { canvasDe } from './canvas/de.ts';
import { exploreDe } from './explore/de.ts';
import { fieldDe } from './field/de.ts';
import { marksDe } from './marks/de.ts';
import { modelDe } from './model/de.ts';
import { pageDe } from './page/de.ts';
import { sqlDe } from './sql/de.ts';
import { textDe } from './text/de.ts';
import { tileDe } from './tile/de.ts';

export const de: EditorMessages = {
  editing: 'Bearbeiten',
  state: {
    guessed: 'Automatisch erzeugt, nicht gespeichert',
    clean: 'Keine Änderungen',
    draft: 'Entwurf',
    saving: 'Wird gespeichert …',
    saved: 'Gespeichert',
    away: 'Änderungen noch nicht gespeichert: Server nicht erreichbar',
    signedOut: 'Änderungen noch nicht gespeichert: abgemeldet',
    broken: 'Das YAML enthält Fehler',
  },
  undo: step => (step ? `Rückgängig: ${step}` : `Nichts rückgängig zu machen`),
  redo: step => (step ? `Wiederholen: ${step}` : 'Nichts zu wiederholen'),
  save: 'Speichern',
  discard: 'Verwerfen',
  close: 'Fertig',
  discardTitle: 'Entwurf verwerfen?',
  discardText:
    'Die gespeicherte Version wird wiederhergestellt. Solange diese Seite geöffnet ist, können Sie dies rückgängig machen.',
  saveTitle: 'Dashboard speichern',
  saveMessage: 'Beschreibung der Änderungen',
  saveMessageHint: 'Optional. Wird im Verlauf angezeigt.',
  cancel: 'Abbrechen',
  notices: {
    merged: 'Die Datei wurde an anderer Stelle geändert. Der Entwurf enthält jetzt beide Änderungen.',
    'other window': 'In einem anderen Fenster geändert.',
    recovered: 'Ihre nicht gespeicherten Änderungen wurden wiederhergestellt.',
  },
  panels: {
    add: 'Hinzufügen',
    text: 'YAML',
    tile: 'Kachel',
    page: 'Dashboard',
    show: 'Bereiche',
  },
  steps: {
    add: 'Kachel hinzufügen',
    move: 'Verschieben',
    resize: 'Größe ändern',
    remove: 'Entfernen',
    duplicate: 'Duplizieren',
    paste: 'Einfügen',
    cut: 'Ausschneiden',
    align: 'Ausrichten',
    title: 'Titel',
    kind: 'Diagrammtyp',
    field: 'Feld',
    setting: 'Einstellung',
    typing: 'YAML bearbeiten',
    page: 'Seite',
    filter: 'Filter',
    theme: 'Farben',
    parameter: 'Parameter',
    discard: 'Verwerfen',
    restore: 'Wiederherstellen',
    rename: 'Umbenennen',
    model: 'Modell',
  },
  keys: {
    title: 'Editor',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    all: 'Alle Kacheln auswählen',
    none: 'Kachelauswahl aufheben',
    copy: 'Kacheln als YAML kopieren',
    paste: 'Kacheln einfügen',
    walk: 'Zwischen Kacheln wechseln',
    lift: 'Kachel aufnehmen oder ablegen',
    move: 'Aufgenommene Kachel verschieben',
    resize: 'Größe der aufgenommenen Kachel ändern',
    sql: 'SQL-Editor',
    run: 'Ausführen',
    format: 'Formatieren',
    comment: 'Kommentar ein/aus',
    leave: 'Feld verlassen (dann Tab)',
  },
  ...canvasDe,
  ...tileDe,
  ...marksDe,
  ...fieldDe,
  ...pageDe,
  ...exploreDe,
  ...modelDe,
  ...sqlDe,
  ...textDe,
};
