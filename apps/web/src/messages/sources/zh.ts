import { accessAddress } from '@belvedere/api';
import { count } from '../chinese-count.ts';
import type { SourcesMessages } from './en.ts';

export const sourcesZh: SourcesMessages = {
  sources: {
    title: '数据库',
    empty:
      '还没有数据库。连接 PostgreSQL、MySQL、MariaDB、ClickHouse、DuckDB 或 SQLite，即可像使用文件一样使用其中的表。',
    connect: '连接数据库',
    kind: '数据库类型',
    kinds: {
      postgres: 'PostgreSQL',
      mysql: 'MySQL 或 MariaDB',
      clickhouse: 'ClickHouse',
      duckdb: 'DuckDB',
      sqlite: 'SQLite',
    },
    states: {
      unconfirmed: '未确认',
      paused: '已暂停',
      unchecked: '尚未检查',
      connecting: '正在连接',
      ready: '就绪',
      degraded: '不稳定',
      failed: '无法访问',
    },
    name: '名称',
    path: '文件路径',
    fileHint: '运行 Belvedere 的计算机上的路径。相对路径从工作区开始。表会被导入，文件更改后会重新导入。',
    host: '主机',
    port: '端口',
    hostError: '请只输入主机名或地址，不含 https:// 和端口。',
    portError: '请输入 1 到 65535 之间的数字。',
    database: '数据库',
    user: '用户名',
    password: '密码',
    test: '测试连接',
    trying: '正在连接…',
    retry: '重试',
    refresh: '刷新表',
    hint: '将 postgres://user:password@host/database 这样的 URL 粘贴到“主机”，或填写各字段。请使用只读用户。连接保存在 “sources” 文件夹中；密码单独存储，仅此账户可读。',
    reached: (server, tables) => `已连接：${server}，${count(tables)} 个表。`,
    tables: tables => `${count(tables)} 个表`,
    watermarks: '数据新鲜度',
    tablesTitle: '表',
    columns: columns => `${count(columns)} 列`,
    about: rows => `约 ${rows} 行`,
    view: '视图',
    since: time => `自 ${time}`,
    drift: '架构更改',
    search: '搜索表',
    unconfirmed: '此数据源随工作区一起提供。如果您信任它，Belvedere 将：',
    trust: '信任并连接',
    trustHint: '在此之前不会解析地址、建立连接或发送任何内容。仅当您知道此工作区由谁创建时才信任它。',
    review: '查看',
    access: access => {
      const { path, database, user, password, authority, tls } = access;
      if (path !== undefined) return `读取工作区之外的文件 ${path}。`;
      const named = ({ from, name }: NonNullable<typeof password>) =>
        from === 'env' ? `环境变量 ${name}` : `密钥文件 ${name}`;
      return [
        `以 ${user} 身份连接 ${accessAddress(access)}，数据库 ${database}，${password ? `并发送${named(password)}` : '不发送密码'}。`,
        ...(tls === 'off' ? ['连接未加密。'] : []),
        ...(authority ? [`根据${named(authority)}中的证书信任该服务器。`] : []),
      ].join('');
    },
    change: '编辑连接',
    unchanged: '不变',
    changeHint: '如果更改主机、端口或用户名，请重新输入密码。',
    pause: '暂停…',
    resume: '恢复',
    pauseTitle: label => `暂停“${label}”`,
    pauseHint: '在恢复之前，Belvedere 不会向它发送查询。图块显示其最后的结果。',
    pauseReason: '原因（可选）',
    pauseNow: '暂停',
    remove: '移除…',
    removeTitle: label => `移除“${label}”？`,
    removeHint: '其文件和保存的密码将被删除。数据库本身不会改变。',
    removeModels: '以下模型读取它。在重新连接同名数据源之前，使用这些模型的仪表板会显示错误：',
    removeNow: '移除',
    paused: '此数据源已暂停。图块显示其最后的结果。',
    pausedFor: reason => `此数据源已暂停：${reason}。图块显示其最后的结果。`,
  },
};
