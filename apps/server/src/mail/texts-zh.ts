import { namedCount, type MailTexts } from './mail-text.ts';

const ignore = '如果您没有提出此请求，请忽略本邮件，不会有任何更改。';
const notYou = '如果这不是您本人的操作，请设置新密码，并告知工作区管理员。';

export const zh: MailTexts = {
  greeting: '您好：',
  labelled: label => `${label}：`,
  footer: (workspace, address) => `由 Belvedere 为工作区“${workspace}”发送，${address}`,
  invitation: ({ workspace, by, address }) => ({
    subject: `邀请您加入 ${workspace}`,
    before: [`${by} 邀请您加入工作区“${workspace}”。`],
    link: { label: '接受邀请', address },
    after: ['此链接 7 天内有效，只能使用一次。'],
  }),
  reset: ({ workspace, address, life }) => ({
    subject: `为 ${workspace} 设置新密码`,
    before: [`通过此链接，您可以为工作区“${workspace}”设置新密码。`],
    link: { label: '设置新密码', address },
    after: [`此链接${life === 'hour' ? '一小时' : '一天'}内有效，只能使用一次。之前的链接已失效。`, ignore],
  }),
  confirmEmail: ({ workspace, address }) => ({
    subject: '请确认您的新电子邮件地址',
    before: [`您请求将此地址用于您在“${workspace}”中的账户。`],
    link: { label: '确认地址', address },
    after: ['此链接一天内有效，只能使用一次。', ignore],
  }),
  emailChanging: ({ workspace, next }) => ({
    subject: '您的电子邮件地址即将更改',
    before: [`有人请求将您在“${workspace}”中的电子邮件地址更改为 ${next}。新地址确认后，更改才会生效。`],
    after: [notYou],
  }),
  passwordChanged: ({ workspace }) => ({
    subject: '您的密码已更改',
    before: [`您在“${workspace}”中的账户密码已更改，所有其他会话均已结束。`],
    after: [notYou],
  }),
  methodAdded: ({ workspace, method }) => ({
    subject: '已添加新的登录方式',
    before: [`您现在可以使用 ${method} 登录“${workspace}”。`],
    after: [notYou],
  }),
  digest: ({ workspace, address, named, count }) => ({
    subject: `“${workspace}”中有 ${count} 条新评论`,
    before: [
      ...named.map(({ reason, by = '已注销的用户', dashboard, times }) => {
        const often = times === 1 ? '' : ` ${times} 次`;
        return reason === 'mention'
          ? `${by} 在“${dashboard}”中提到了您${often}。`
          : reason === 'reply'
            ? `${by} 在“${dashboard}”中回复了您${often}。`
            : `${by} 评论了“${dashboard}”${often}。`;
      }),
      ...(count > namedCount(named) ? [`还有 ${count - namedCount(named)} 条。`] : []),
    ],
    link: { label: '打开收件箱', address },
    after: ['您可以在“设置 › 个人资料”中关闭这些邮件。'],
  }),
  test: ({ workspace }) => ({
    subject: `${workspace} 的测试邮件`,
    before: ['Belvedere 可以发送邮件。'],
  }),
  message: {
    several: (count, titles) => `${count} 条告警：${titles.join('、')}`,
    files: '附件',
    channel: channel => `此地址属于渠道“${channel}”。管理员可在“设置 › 渠道”中更改。`,
    unsubscribe: '退订',
    test: {
      title: workspace => `${workspace} 的测试消息`,
      line: channel => `发往渠道“${channel}”的消息会到达此处。`,
    },
  },
};
