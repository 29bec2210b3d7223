import { chineseProblems } from '@belvedere/api';
import type { Messages } from './en.ts';
import { dashboardZh } from './dashboard/zh.ts';
import { dataZh } from './data/zh.ts';
import { downloadsZh } from './downloads/zh.ts';
import { filtersZh } from './filters/zh.ts';
import { homeZh } from './home/zh.ts';
import { importOptionsZh } from './import-options/zh.ts';
import { shellZh } from './shell/zh.ts';
import { sourcesZh } from './sources/zh.ts';
import { tileZh } from './tile/zh.ts';

export const zh: Messages = {
  product: 'Belvedere',
  cancel: '取消',
  passwordField: { showPassword: '显示密码', hidePassword: '隐藏密码' },
  sharing: {
    record: '负责人与验证…',
    share: '共享',
    menu: '共享…',
    folder: '共享文件夹',
    all: '共享所有仪表板',
  },
  actions: {
    more: '更多操作',
    of: (title: string) => `${title} 的操作`,
    open: '打开',
    rename: '重命名',
    renameMenu: '重命名…',
    renameTitle: (title: string) => `重命名“${title}”`,
    moveMenu: '移动…',
    moveTitle: (title: string) => `移动“${title}”`,
    duplicate: '创建副本',
    copyOf: (title: string) => `${title}（副本）`,
    editCopy: '编辑副本',
    trash: '移到回收站',
  },
  problems: chineseProblems,
  errors: {
    notFoundTitle: '未找到页面',
    notFoundText: '此页面不存在，或您无权访问。',
    noAccountsTitle: '需要账户',
    noAccountsText: '此页面供团队使用，而此 Belvedere 没有账户。请用 `belvedere serve` 启动。',
    goHome: '前往主页',
    brokenTitle: '出现错误',
    brokenText: '发生意外错误，您的数据未受影响。',
    reload: '重新加载',
    unreachable: '无法连接到 Belvedere。它还在运行吗？',
  },
  editing: { line: (line, column) => `第 ${line} 行，第 ${column} 列` },
  ...shellZh,
  ...homeZh,
  ...dashboardZh,
  ...filtersZh,
  ...tileZh,
  ...downloadsZh,
  ...dataZh,
  ...sourcesZh,
  ...importOptionsZh,
};
