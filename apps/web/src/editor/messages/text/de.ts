import type { TextMessages } from './en.ts';

export const textDe: TextMessages = {
  history: {
    was: 'Ausgewählte Version',
    title: 'Verlauf',
    open: 'Verlauf',
    saved: 'Gespeichert',
    disk: 'Auf dem Datenträger geändert',
    current: 'Aktuell',
    compare: 'Änderungen von dieser Version zum aktuellen Entwurf',
    restore: 'Diese Version wiederherstellen',
    same: 'Keine Unterschiede',
    none: 'Noch keine gespeicherten Versionen.',
    more: 'Mehr laden',
  },
  text: {
    label: 'YAML des Dashboards',
    line: (line, column) => `Zeile ${line}, Spalte ${column}`,
    fix: word => `In ${word} ändern`,
    problems: count => (count === 1 ? '1 Fehler' : `${count} Fehler`),
    open: 'YAML öffnen',
    invalid: 'Das YAML enthält einen Fehler.',
    noValidVersion: 'Noch keine gültige Version',
    noValidVersionHint:
      'Der Inhalt erscheint hier, sobald die Fehler im YAML behoben sind. Verwendet werden nur gültige Versionen.',
    leave: 'Mit Escape, dann Tab verlassen Sie den Editor.',
  },
  conflict: {
    title: 'Widersprüchliche Änderungen',
    text: 'Die Datei wurde während der Bearbeitung geändert. Wählen Sie je Konflikt eine Version; beide bleiben im Verlauf.',
    mine: 'Ihre Version',
    theirs: 'Andere Version',
    gone: 'Entfernt',
    done: 'Übernehmen',
    whole: 'Gesamtes Dokument (fehlerhaftes YAML kann nicht in Teilen zusammengeführt werden)',
    compare: 'Änderungen von der anderen Version zu Ihrer',
    at: path => `Bei ${path}`,
  },
};
