import type { NotifiedState } from '@belvedere/alert';
import type { Localized } from '@belvedere/document';

/** The texts of messages about alerts. */
export interface AlertTexts {
  readonly title: (state: NotifiedState | 'still', alert: string) => string;
  readonly group: (group: string, sentence: string) => string;
  readonly more: (count: number) => string;
  readonly value: string;
  readonly since: string;
  readonly watches: string;
  readonly owner: string;
  readonly severity: string;
  readonly severities: Readonly<Record<'info' | 'warning' | 'critical', string>>;
  readonly openDashboard: string;
  readonly openAlert: string;
  readonly runbook: string;
}

export const alertTexts: Localized<AlertTexts> = {
  en: {
    title: (state, alert) =>
      ({
        firing: `Firing: ${alert}`,
        still: `Still firing: ${alert}`,
        ok: `Resolved: ${alert}`,
        noData: `No data: ${alert}`,
        error: `Check failed: ${alert}`,
      })[state],
    group: (group, sentence) => `${group}: ${sentence}`,
    more: count => (count === 1 ? 'And one more.' : `And ${count} more.`),
    value: 'Value',
    since: 'Since',
    watches: 'Watches',
    owner: 'Owner',
    severity: 'Severity',
    severities: { info: 'Info', warning: 'Warning', critical: 'Critical' },
    openDashboard: 'Open the dashboard',
    openAlert: 'Open the alert',
    runbook: 'Runbook',
  },
  de: {
    title: (state, alert) =>
      ({
        firing: `Ausgelöst: ${alert}`,
        still: `Weiterhin ausgelöst: ${alert}`,
        ok: `Behoben: ${alert}`,
        noData: `Keine Daten: ${alert}`,
        error: `Prüfung fehlgeschlagen: ${alert}`,
      })[state],
    group: (group, sentence) => `${group}: ${sentence}`,
    more: count => (count === 1 ? 'Und eine weitere Gruppe.' : `Und ${count} weitere Gruppen.`),
    value: 'Wert',
    since: 'Seit',
    watches: 'Überwacht',
    owner: 'Verantwortlich',
    severity: 'Schweregrad',
    severities: { info: 'Hinweis', warning: 'Warnung', critical: 'Kritisch' },
    openDashboard: 'Dashboard öffnen',
    openAlert: 'Alarm öffnen',
    runbook: 'Anleitung',
  },
  zh: {
    title: (state, alert) =>
      ({
        firing: `告警触发：${alert}`,
        still: `仍在告警：${alert}`,
        ok: `已恢复：${alert}`,
        noData: `没有数据：${alert}`,
        error: `检查失败：${alert}`,
      })[state],
    group: (group, sentence) => `${group}：${sentence}`,
    more: count => `另有 ${count} 个分组。`,
    value: '数值',
    since: '开始时间',
    watches: '监控对象',
    owner: '负责人',
    severity: '严重程度',
    severities: { info: '提示', warning: '警告', critical: '严重' },
    openDashboard: '打开仪表板',
    openAlert: '打开告警',
    runbook: '处理手册',
  },
};
