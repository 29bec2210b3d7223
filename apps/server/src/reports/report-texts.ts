import { preferredLanguage, type InterfaceLanguage } from '@belvedere/api';

/** The texts of a report's message. */
export interface ReportTexts {
  readonly open: string;
  /** The text in place of a picture. */
  readonly picture: (title: string, page: string | undefined) => string;
  /** @param names of files @param size such as `15 MB` */
  readonly tooLarge: (names: readonly string[], size: string) => string;
  readonly picturesTooLarge: (size: string) => string;
  readonly morePages: (shown: number, all: number) => string;
  /** In place of files of data that the recipient may not export. */
  readonly noDataFiles: string;
  readonly stopped: (title: string) => string;
  readonly stoppedWhy: (dashboard: string) => string;
  readonly openReport: string;
}

const en: ReportTexts = {
  open: 'Open the dashboard',
  picture: (title, page) => (page === undefined ? title : `${title}, page ${page}`),
  tooLarge: (names, size) =>
    `Not attached, because the mail would be larger than ${size}: ${names.join(', ')}. The dashboard has this data.`,
  picturesTooLarge: size =>
    `Some pictures were left out, because the mail would be larger than ${size}. The dashboard shows them.`,
  morePages: (shown, all) => `This mail shows ${shown} of ${all} pages. The dashboard has the others.`,
  noDataFiles:
    'Files of data are not attached, because you may view this dashboard, but not export its data.',
  stopped: title => `“${title}” has stopped`,
  stoppedWhy: dashboard =>
    `You may no longer see the dashboard “${dashboard}”, so the report is not sent. ` +
    'It goes on once the dashboard is shared with you again, or once another user owns the report.',
  openReport: 'Open the report',
};

const de: ReportTexts = {
  open: 'Dashboard öffnen',
  picture: (title, page) => (page === undefined ? title : `${title}, Seite ${page}`),
  tooLarge: (names, size) =>
    `Nicht angehängt, weil die E-Mail größer als ${size} wäre: ${names.join(', ')}. Das Dashboard enthält diese Daten.`,
  picturesTooLarge: size =>
    `Einige Bilder fehlen, weil die E-Mail größer als ${size} wäre. Das Dashboard zeigt sie.`,
  morePages: (shown, all) => `Diese E-Mail zeigt ${shown} von ${all} Seiten. Das Dashboard hat die übrigen.`,
  noDataFiles:
    'Datendateien sind nicht angehängt, weil Sie dieses Dashboard ansehen, aber seine Daten nicht exportieren dürfen.',
  stopped: title => `„${title}“ wurde angehalten`,
  stoppedWhy: dashboard =>
    `Sie dürfen das Dashboard „${dashboard}“ nicht mehr sehen, daher wird der Bericht nicht gesendet. ` +
    'Er läuft weiter, sobald das Dashboard wieder für Sie freigegeben ist oder der Bericht einer anderen Person gehört.',
  openReport: 'Bericht öffnen',
};

const zh: ReportTexts = {
  open: '打开仪表板',
  picture: (title, page) => (page === undefined ? title : `${title}，第 ${page} 页`),
  tooLarge: (names, size) =>
    `邮件会超过 ${size}，因此未附上：${names.join('、')}。这些数据可在仪表板中查看。`,
  picturesTooLarge: size => `邮件会超过 ${size}，因此省略了部分图片。请在仪表板中查看。`,
  morePages: (shown, all) => `此邮件显示 ${all} 页中的 ${shown} 页。其余页面请在仪表板中查看。`,
  noDataFiles: '您可以查看此仪表板，但不能导出其数据，因此未附上数据文件。',
  stopped: title => `“${title}”已停止`,
  stoppedWhy: dashboard =>
    `您不再有权查看仪表板“${dashboard}”，因此该报告不会发送。仪表板再次与您共享，或报告改由其他用户负责后，将继续发送。`,
  openReport: '打开报告',
};

const texts: Readonly<Record<InterfaceLanguage, ReportTexts>> = { en, de, zh };

/** Returns the texts in a workspace's language. */
export function reportTexts(locale: string | undefined): ReportTexts {
  return texts[preferredLanguage([locale])];
}
