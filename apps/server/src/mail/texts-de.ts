import { namedCount, type MailTexts } from './mail-text.ts';

const ignore = 'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es ändert sich nichts.';
const notYou =
  'Wenn Sie das nicht waren, legen Sie ein neues Passwort fest, und informieren Sie einen Administrator des Arbeitsbereichs.';

export const de: MailTexts = {
  greeting: 'Guten Tag,',
  labelled: label => `${label}:`,
  footer: (workspace, address) => `Gesendet von Belvedere für den Arbeitsbereich „${workspace}“, ${address}`,
  invitation: ({ workspace, by, address }) => ({
    subject: `Einladung zu ${workspace}`,
    before: [`${by} lädt Sie in den Arbeitsbereich „${workspace}“ ein.`],
    link: { label: 'Einladung annehmen', address },
    after: ['Der Link ist 7 Tage gültig und funktioniert einmal.'],
  }),
  reset: ({ workspace, address, life }) => ({
    subject: `Neues Passwort für ${workspace} festlegen`,
    before: [`Mit diesem Link legen Sie ein neues Passwort für den Arbeitsbereich „${workspace}“ fest.`],
    link: { label: 'Neues Passwort festlegen', address },
    after: [
      `Der Link ist ${life === 'hour' ? 'eine Stunde' : 'einen Tag'} gültig und funktioniert einmal. Frühere Links sind ungültig.`,
      ignore,
    ],
  }),
  confirmEmail: ({ workspace, address }) => ({
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    before: [`Sie möchten diese Adresse für Ihr Konto in „${workspace}“ verwenden.`],
    link: { label: 'Adresse bestätigen', address },
    after: ['Der Link ist einen Tag gültig und funktioniert einmal.', ignore],
  }),
  emailChanging: ({ workspace, next }) => ({
    subject: 'Ihre E-Mail-Adresse soll geändert werden',
    before: [
      `Ihre E-Mail-Adresse in „${workspace}“ soll in ${next} geändert werden. Die Änderung gilt, sobald die neue Adresse bestätigt ist.`,
    ],
    after: [notYou],
  }),
  passwordChanged: ({ workspace }) => ({
    subject: 'Ihr Passwort wurde geändert',
    before: [
      `Das Passwort Ihres Kontos in „${workspace}“ wurde geändert. Alle anderen Sitzungen wurden beendet.`,
    ],
    after: [notYou],
  }),
  methodAdded: ({ workspace, method }) => ({
    subject: 'Eine neue Anmeldemethode wurde hinzugefügt',
    before: [`Sie können sich jetzt mit ${method} bei „${workspace}“ anmelden.`],
    after: [notYou],
  }),
  digest: ({ workspace, address, named, count }) => ({
    subject:
      count === 1
        ? `Ein neuer Kommentar für Sie in ${workspace}`
        : `${count} neue Kommentare für Sie in ${workspace}`,
    before: [
      ...named.map(({ reason, by = 'Ein früherer Nutzer', dashboard, times }) => {
        const often = times === 1 ? '' : times === 2 ? 'zweimal ' : `${times}-mal `;
        return reason === 'mention'
          ? `${by} hat Sie auf „${dashboard}“ ${often}erwähnt.`
          : reason === 'reply'
            ? `${by} hat Ihnen auf „${dashboard}“ ${often}geantwortet.`
            : `${by} hat „${dashboard}“ ${often}kommentiert.`;
      }),
      ...(count > namedCount(named) ? [`Und ${count - namedCount(named)} weitere.`] : []),
    ],
    link: { label: 'Posteingang öffnen', address },
    after: ['Unter Einstellungen › Profil können Sie diese Mails abschalten.'],
  }),
  test: ({ workspace }) => ({
    subject: `Test-E-Mail von ${workspace}`,
    before: ['Belvedere kann E-Mails senden.'],
  }),
  message: {
    several: (count, titles) => `${count} Alarme: ${titles.join(', ')}`,
    files: 'Anhänge',
    channel: channel =>
      `Diese Adresse gehört zum Kanal „${channel}“. Administratoren ändern ihn unter Einstellungen › Kanäle.`,
    unsubscribe: 'Abbestellen',
    test: {
      title: workspace => `Testnachricht von ${workspace}`,
      line: channel => `Nachrichten an den Kanal „${channel}“ kommen hier an.`,
    },
  },
};
