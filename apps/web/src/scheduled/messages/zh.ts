import type { ScheduledMessages } from './en.ts';

export const zh: ScheduledMessages = {
  recipients: '收件人',
  add: '添加用户、组或渠道',
  addChannel: '添加渠道',
  noneFound: '未找到。',
  noChannelFound: '未找到渠道。管理员可在“设置 › 渠道”中添加。',
  isAdded: '已添加',
  group: '组',
  channel: '渠道',
  channelOff: '渠道（已关闭）',
  removeRecipient: name => `移除${name}`,
  filters: '筛选器',
  filtersHint: '在仪表板自身筛选器之上叠加。',
  language: '语言',
  workspaceLanguage: '工作区默认',
  problems: count => `YAML 中有 ${count} 处错误`,
  line: line => `第 ${line} 行`,
};
