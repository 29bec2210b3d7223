import type { AccountMessages } from './en.ts';
import { auditDe } from './audit/de.ts';
import { mailServerDe, providersDe } from './connections/de.ts';
import { guestsDe } from './guests/de.ts';
import { permissionsDe } from './permissions/de.ts';
import { sharingDe } from './sharing/de.ts';
import { signInDe } from './sign-in/de.ts';
import { systemDe } from './system/de.ts';
import { tokensDe } from './tokens/de.ts';
import { twoFactorDe } from './two-factor/de.ts';
import { usersDe } from './users/de.ts';

export const de: AccountMessages = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  saved: 'Gespeichert',
  add: 'Hinzufügen',
  copy: 'Link kopieren',
  copied: 'Kopiert',
  notCopied: 'Kopieren nicht möglich. Markieren Sie den Link, und kopieren Sie ihn.',
  commentMail: {
    title: 'Mail zu Kommentaren',
    hint: 'Höchstens eine Mail pro Stunde nennt ungelesene Erwähnungen und Antworten.',
    isOn: 'Mails senden',
  },
  retry: 'Erneut versuchen',
  loading: 'Wird geladen …',
  email: 'E-Mail',
  name: 'Name',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 12 Zeichen.',
  passwordShort: 'Verwenden Sie mindestens 12 Zeichen.',
  passwordWeak:
    'Wählen Sie ein schwerer zu erratendes Passwort. Häufige und bekannte Passwörter, Ihr Name und Ihre E-Mail-Adresse sind nicht erlaubt.',
  emailNeeded: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  nameNeeded: 'Geben Sie Ihren Namen ein.',
  passwordNeeded: 'Geben Sie Ihr Passwort ein.',
  ...signInDe,
  twoFactor: twoFactorDe,
  mailServer: mailServerDe,
  providers: providersDe,
  ...usersDe,
  ...tokensDe,
  permissions: permissionsDe,
  ...guestsDe,
  audit: auditDe,
  ...systemDe,
  ...sharingDe,
};
