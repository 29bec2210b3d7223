import { serverTexts } from '../../../scheduled/messages/server-texts-zh.ts';
import { translateServerText } from '../../../scheduled/messages/translate-server-text.ts';
import { usersZh } from '../users/zh.ts';
import type { SystemMessages } from './en.ts';

export const systemZh: SystemMessages = {
  system: {
    title: '系统',
    hint: '服务器的状态，以及正在运行的查询。',
    healthy: '一切正常。',
    unconfirmed: {
      title: '待确认的设置',
      hint: '这些设置来自 belvedere.yaml，在所有者确认之前不会生效。请仅确认您或运维人员设置的内容。',
      effect: ({ kind, names, provider, secret, createsAccounts, roles: given = [] }) => {
        const named = names.join('、');
        if (kind === 'breached-passwords') return `设置密码时读取工作区之外的 ${named}。`;
        if (kind === 'mail-server') return `通过 ${named} 发送邮件，包括重置密码的链接。`;
        if (kind === 'mail-domains') return `允许渠道向 ${named} 的所有地址发送邮件。`;
        if (kind === 'webhook-hosts')
          return `允许 Webhook、邮件和登录访问 ${named}，包括专用网络和未加密的连接。`;
        return [
          `让用户通过 ${provider}（${named}）登录`,
          ...(secret
            ? [secret.from === 'env' ? `并发送环境变量 ${secret.name}` : `并发送机密 ${secret.name}`]
            : []),
          ...(createsAccounts ? ['创建账户'] : []),
          ...(given.length > 0 ? [`授予角色 ${given.map(role => usersZh.roles[role]).join('、')}`] : []),
        ]
          .join('，')
          .concat('。');
      },
      confirm: '确认',
      confirmOf: effect => `确认：${effect}`,
      onlyOwners: '只有所有者可以确认。',
    },
    stale: time => `无法刷新。以下内容截至 ${time}。`,
    problems: {
      saving: '无法保存更改',
      state: '状态数据库曾损坏',
      'audit-log': '无法写入审计日志文件',
      certificate: '无法使用新证书',
      'clean-up': '无法删除过期数据',
      import: '无法导入的表',
      documents: '有错误的文件',
    },
    queries: '查询',
    queriesHint: '正在运行和等待的查询。取消的查询可以重新运行。',
    noQueries: '没有正在运行的查询。',
    counts: (running, waiting) => `${running} 个运行中，${waiting} 个等待中`,
    running: '运行中',
    waiting: '等待中',
    rows: count => `已读取 ${count} 行`,
    cancelQuery: '取消',
    cancelOf: (query, user) => `取消 ${user} 的“${query}”`,
    kinds: {
      sql: source => `${source} 上的 SQL`,
      export: name => `导出 ${name}`,
      explore: model => `探索 ${model}`,
      model: model => `查询 ${model}`,
    },
    files: '文件',
    server: '服务器',
    version: '版本',
    uptime: '已运行',
    memory: '已用内存',
    restarts: '引擎重启次数',
    certificateUntil: '证书有效期至',
    cache: '结果缓存',
    cacheHits: '命中次数',
    cacheSize: '大小',
    executions: '已执行的查询',
    of: (part, whole) => `${part} / ${whole}`,
    storage: '存储',
    database: '状态数据库',
    databases: { sqlite: 'SQLite', postgresql: 'PostgreSQL' },
    folders: {
      imports: '已导入的表',
      caches: '缓存',
      extracts: '数据库副本',
      uploads: '未完成的上传',
      backups: '备份',
    },
    freeDisk: '可用磁盘空间',
  },
  backups: {
    title: '备份',
    hint: '工作区的所有文件和记录，保存在一个只有服务器账户才能读取的文件中。',
    off: '关闭',
    on: '开启',
    everyDay: (time: string, zone: string) => `每天 ${time}（${zone}）`,
    next: (time: string) => `下一次：${time}`,
    neverMade: '尚未进行过备份。',
    kept: '保留的备份数',
    folder: '服务器上的文件夹',
    last: '上一次备份',
    current: '当前',
    now: '立即备份',
    edit: '设置…',
    isFixed: '由服务器的 --backups 选项设定。',
    onlyOwners: '只有所有者可以更改。',
    sameDisk: '此文件夹与工作区在同一磁盘上。放在另一个磁盘上更安全。',
    list: '此文件夹中的备份',
    dialog: {
      title: '设置备份',
      isOn: '每天备份',
      at: '时间',
      atHint: (zone: string) => `按工作区的时区 ${zone}。`,
      timeWrong: '请输入时间，例如 03:00。',
      keptHint: '更早的备份会被删除。',
      keptWrong: '请输入 1 到 1000 之间的整数。',
      folderHint: '服务器上专用于这些备份的文件夹，位于工作区之外。留空时保存在工作区的记录旁边。',
    },
  },
  jobs: {
    title: '任务',
    hint: '计划任务：数据提取、告警检查、报告、发送、备份和清理。',
    kindsTitle: '任务类型',
    kinds: {
      alert: '告警',
      report: '报告',
      delivery: '发送',
      backup: '备份',
      extract: '数据提取',
      'clean-up': '清理',
      'comment-mail': '评论邮件',
    },
    detailText: detail => translateServerText(detail, serverTexts),
    state: '状态',
    kind: '类型',
    allStates: '所有状态',
    allKinds: '所有类型',
    states: {
      queued: '等待中',
      running: '运行中',
      done: '已完成',
      'given-up': '失败',
      cancelled: '已取消',
    },
    empty: '没有任务。',
    paused: '已暂停',
    pause: '暂停',
    pauseOf: kind => `暂停“${kind}”类型的任务`,
    resume: '恢复',
    resumeOf: kind => `恢复“${kind}”类型的任务`,
    cancel: '取消',
    cancelOf: job => `取消“${job}”`,
    retry: '重新运行',
    retryOf: job => `重新运行“${job}”`,
    due: time => `时间：${time}`,
    tries: count => `第 ${count} 次尝试`,
    nextTry: time => `下次尝试：${time}`,
  },
};
