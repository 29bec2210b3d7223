import { pluralIn } from '../../../messages/plural-in.ts';
import type { TokenMessages } from './en.ts';

const plural = pluralIn('de');

export const tokensDe: TokenMessages = {
  consent: {
    page: 'Assistenten verbinden',
    title: (name: string) => `„${name}“ verbinden?`,
    hint: (user: string) => `Der Assistent verwendet Belvedere als ${user}.`,
    receiver: 'Zugriff erhält',
    thisDevice: 'Ein Programm auf diesem Gerät',
    program: (scheme: string) => `Ein Programm auf diesem Gerät (${scheme})`,
    warning:
      'Der Assistent hat den Namen selbst gewählt. Erlauben Sie dies nur, wenn Sie es gerade selbst begonnen haben.',
    rows: 'Er sieht nur, was Sie sehen dürfen, und nur Ihre Zeilen.',
    changes: {
      none: 'Er kann weder Dashboards noch Modelle ändern.',
      some: 'Er kann Dashboards und Modelle ändern, die Sie ändern dürfen.',
    },
    ends: 'Der Zugriff endet nach 90 Tagen ohne Nutzung. Widerrufen Sie ihn unter Einstellungen › Profil.',
    allow: 'Erlauben',
    deny: 'Nicht erlauben',
    answered: 'Fahren Sie im Assistenten fort. Sie können diese Seite schließen.',
    refused: 'Der Assistent konnte nicht verbunden werden',
    invalid:
      'Seine Anfrage ist ungültig. Entfernen Sie die Verbindung im Assistenten, und verbinden Sie ihn neu.',
    off: 'Assistenten können sich hier nicht anmelden. Erstellen Sie ein Zugriffstoken unter Einstellungen › Profil.',
  },
  tokens: {
    title: 'Zugriffstoken',
    titleOf: (name: string) => `Zugriffstoken von ${name}`,
    hint: 'Programme senden eines, um Belvedere in Ihrem Namen aufzurufen.',
    hintOf: 'Programme senden eines, um Belvedere aufzurufen.',
    empty: 'Noch keine Zugriffstoken.',
    create: 'Neues Token',
    name: 'Name',
    nameHint: 'Wo Sie es verwenden, zum Beispiel „Nachtbericht“.',
    nameNeeded: 'Geben Sie einen Namen ein.',
    nameTaken: 'Ein Token mit diesem Namen gibt es schon.',
    scope: 'Erlaubt',
    scopes: {
      read: 'Dashboards lesen',
      explore: 'Lesen und Modelle abfragen',
      write: 'Lesen, abfragen und speichern',
      admin: 'Alles, was das Konto darf',
    },
    life: 'Gültig für',
    days: (days: number) => plural(days, 'Tag', 'Tage'),
    submit: 'Token erstellen',
    secret: 'Token',
    created: 'Kopieren Sie das Token jetzt. Es wird nicht noch einmal angezeigt.',
    copy: 'Token kopieren',
    until: (day: string) => `Gültig bis ${day}`,
    assistantOf: (client: string) => `Assistent auf ${client}`,
    localAssistant: 'Assistent auf einem Gerät',
    expired: 'Abgelaufen',
    usedAt: (time: string) => `Zuletzt verwendet ${time}`,
    neverUsed: 'Nie verwendet',
    revoke: 'Widerrufen',
    revokeOf: (name: string) => `„${name}“ widerrufen`,
    revokeHint: 'Programme, die es verwenden, funktionieren sofort nicht mehr.',
    menu: 'Zugriffstoken…',
  },
  services: {
    create: 'Neues Dienstkonto',
    hint: 'Ein Konto für ein Programm. Es hat Zugriffstoken und kann sich nicht anmelden.',
    name: 'Name',
    nameHint: 'Kleinbuchstaben, Ziffern und Bindestriche, zum Beispiel nachtbericht.',
    nameTaken: 'Ein Konto mit diesem Namen gibt es schon.',
    submit: 'Konto erstellen',
    chip: 'Dienst',
  },
};
