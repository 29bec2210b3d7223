import type { AccountMessages } from './en.ts';
import { auditZh } from './audit/zh.ts';
import { mailServerZh, providersZh } from './connections/zh.ts';
import { guestsZh } from './guests/zh.ts';
import { permissionsZh } from './permissions/zh.ts';
import { sharingZh } from './sharing/zh.ts';
import { signInZh } from './sign-in/zh.ts';
import { systemZh } from './system/zh.ts';
import { tokensZh } from './tokens/zh.ts';
import { twoFactorZh } from './two-factor/zh.ts';
import { usersZh } from './users/zh.ts';

export const zh: AccountMessages = {
  cancel: '取消',
  close: '关闭',
  save: '保存',
  saved: '已保存',
  add: '添加',
  copy: '复制链接',
  copied: '已复制',
  notCopied: '无法复制。请选中链接后手动复制。',
  commentMail: {
    title: '评论邮件',
    hint: '每小时最多一封邮件，告知未读的提及和回复。',
    isOn: '给我发邮件',
  },
  retry: '重试',
  loading: '正在加载…',
  email: '电子邮件',
  name: '姓名',
  password: '密码',
  newPassword: '新密码',
  passwordHint: '至少 12 个字符。',
  passwordShort: '请使用至少 12 个字符。',
  passwordWeak: '请选择更难猜到的密码。不能使用常见或已泄露的密码、您的姓名或电子邮件地址。',
  emailNeeded: '请输入电子邮件地址，例如 name@example.com。',
  nameNeeded: '请输入您的姓名。',
  passwordNeeded: '请输入您的密码。',
  ...signInZh,
  twoFactor: twoFactorZh,
  mailServer: mailServerZh,
  providers: providersZh,
  ...usersZh,
  ...tokensZh,
  permissions: permissionsZh,
  ...guestsZh,
  audit: auditZh,
  ...systemZh,
  ...sharingZh,
};
