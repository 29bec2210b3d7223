import type { ScheduledMessages } from './en.ts';

export const de: ScheduledMessages = {
  recipients: 'Empfänger',
  add: 'Benutzer, Gruppe oder Kanal hinzufügen',
  addChannel: 'Kanal hinzufügen',
  noneFound: 'Nichts gefunden.',
  noChannelFound: 'Kein Kanal gefunden. Admins fügen Kanäle unter Einstellungen › Kanäle hinzu.',
  isAdded: 'Schon hinzugefügt',
  group: 'Gruppe',
  channel: 'Kanal',
  channelOff: 'Kanal, ausgeschaltet',
  removeRecipient: name => `${name} entfernen`,
  filters: 'Filter',
  filtersHint: 'Zusätzlich zu den Filtern des Dashboards.',
  language: 'Sprache',
  workspaceLanguage: 'Standard des Arbeitsbereichs',
  problems: count => (count === 1 ? '1 Fehler im YAML' : `${count} Fehler im YAML`),
  line: line => `Zeile ${line}`,
};
