import type { SignInMessages } from './en.ts';

export const signInDe: SignInMessages = {
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen? Bitten Sie einen Administrator dieses Arbeitsbereichs um einen Link.',
    forgotLink: 'Passwort vergessen?',
    asOwner: 'Mit Passwort anmelden (Eigentümer)',
    wrong: 'E-Mail oder Passwort ist falsch.',
    again: 'Erneut anmelden',
    againHint:
      'Ihre Sitzung ist beendet. Was Sie geschrieben haben, bleibt erhalten. Melden Sie sich an, um fortzufahren.',
    leave: 'Seite verlassen',
  },
  provider: {
    continueWith: name => `Weiter mit ${name}`,
    or: 'oder',
    confirmHint: 'Änderungen an Benutzern und Datenquellen erfordern, dass Sie sich erneut anmelden.',
    confirmTitle: 'Identität bestätigen',
    done: 'Angemeldet',
    confirmed: 'Bestätigt',
    closeWindow: 'Sie können dieses Fenster schließen.',
    failed: 'Nicht angemeldet',
    problems: {
      unavailable: name =>
        `${name} antwortet nicht. Versuchen Sie es später erneut, oder melden Sie sich anders an.`,
      cancelled: name => `${name} hat Sie nicht angemeldet. Versuchen Sie es erneut.`,
      invalid: name =>
        `Die Antwort von ${name} war ungültig. Versuchen Sie es erneut, und informieren Sie sonst einen Administrator.`,
      expired: () =>
        'Die Anmeldung hat zu lange gedauert oder wurde schon verwendet. Versuchen Sie es erneut.',
      'no-account': () =>
        'Sie haben hier kein Konto, oder es ist deaktiviert. Bitten Sie einen Administrator um eine Einladung.',
      'email-unverified': name => `${name} hat Ihre E-Mail-Adresse nicht bestätigt.`,
      domain: () => 'Ihre E-Mail-Adresse gehört zu keiner Domain, die sich hier anmelden darf.',
      'connect-first': name =>
        `Melden Sie sich zuerst mit Ihrem Passwort an und verbinden Sie ${name} dann unter Einstellungen › Profil.`,
      'not-confirmed': name =>
        `${name} hat nicht bestätigt, dass Sie sich mit dem verbundenen Konto erneut angemeldet haben.`,
      taken: name => `Dieses Konto von ${name} gehört zu einem anderen Benutzer.`,
      connected: name => `Dieses Konto von ${name} ist bereits verbunden.`,
    },
  },
  forgotten: {
    title: 'Passwort zurücksetzen',
    hint: 'Sie erhalten einen Link, mit dem Sie ein neues Passwort festlegen.',
    submit: 'Link senden',
    sent: 'Wenn es zu dieser Adresse ein Konto mit Passwort gibt, ist eine E-Mail unterwegs. Der Link gilt eine Stunde.',
    back: 'Zurück zur Anmeldung',
  },
  newEmail: {
    title: 'Neue E-Mail-Adresse bestätigen',
    hint: 'Ab jetzt melden Sie sich mit ihr an.',
    submit: 'Bestätigen',
    done: email => `Ihre E-Mail-Adresse ist jetzt ${email}.`,
    gone: 'Dieser Link ist nicht mehr gültig. Ändern Sie die E-Mail-Adresse erneut.',
    toApp: 'Weiter',
    section: 'E-Mail',
    sectionHint: 'Mit ihr melden Sie sich an. Eine neue gilt, sobald Sie sie per E-Mail bestätigt haben.',
    label: 'Neue E-Mail',
    change: 'E-Mail ändern',
    sent: email => `Öffnen Sie den Link, der an ${email} gesendet wurde.`,
  },
  methods: {
    title: 'Anmeldekonten',
    hint: 'Mit diesen Konten melden Sie sich ohne Passwort an.',
    connect: name => `${name} verbinden`,
    remove: 'Trennen',
    removeOf: name => `${name} trennen`,
    empty: 'Kein Konto ist verbunden.',
  },
  mail: {
    failed: reason => `Es wurde keine E-Mail gesendet. ${reason}`,
  },
  setup: {
    title: 'Arbeitsbereich einrichten',
    hint: 'Erstellen Sie das erste Konto. Ihm gehört der Arbeitsbereich.',
    code: 'Einrichtungscode',
    codeHint: 'Der Server gibt ihn beim ersten Start aus.',
    codeNeeded: 'Geben Sie den Einrichtungscode ein.',
    codeWrong: 'Der Code ist falsch oder wurde schon verwendet.',
    submit: 'Konto erstellen',
    done: 'Dieser Arbeitsbereich ist bereits eingerichtet.',
    toSignIn: 'Zur Anmeldung',
  },
  invite: {
    title: workspace => `${workspace} beitreten`,
    hint: 'Wählen Sie Ihren Namen und ein Passwort.',
    submit: 'Konto erstellen',
    gone: 'Diese Einladung ist nicht mehr gültig',
    goneHint: 'Sie ist abgelaufen, widerrufen oder schon verwendet. Bitten Sie um eine neue.',
  },
  reset: {
    title: 'Neues Passwort festlegen',
    hint: 'Damit werden Sie auf allen Geräten abgemeldet.',
    submit: 'Passwort festlegen',
    gone: 'Dieser Link ist nicht mehr gültig. Bitten Sie einen Administrator um einen neuen.',
  },
  confirm: {
    title: 'Passwort bestätigen',
    hint: 'Änderungen an Benutzern und Datenquellen erfordern Ihr Passwort.',
    submit: 'Bestätigen',
    wrong: 'Das Passwort ist falsch.',
  },
};
