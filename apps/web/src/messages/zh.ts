import { accessAddress, chineseProblems } from '@belvedere/api';
import type { Messages } from './en.ts';

const units: Readonly<Record<string, string>> = { minute: '分钟', hour: '小时', day: '天', week: '周', month: '个月', quarter: '个季度', year: '年', fiscalQuarter: '个财季', fiscalYear: '个财年' };
const periods: Readonly<Record<string, string>> = { day: '今天', week: '本周', month: '本月', quarter: '本季度', year: '今年', fiscalQuarter: '本财季', fiscalYear: '本财年' };
const count = (value: number) => value.toLocaleString('zh-CN');

export const zh: Messages = {
  product: 'Belvedere',
  nav: { label: '主导航', home: '主页', data: '数据', menu: '菜单', pinned: '仪表板' },
  header: { search: '搜索', theme: '切换浅色与深色', skip: '跳到内容' },
  connection: { lost: '与 Belvedere 的连接已断开。您看到的内容会保留，恢复后将自动更新。', lacking: '此页面的一部分无法加载：Belvedere 可能已更新。您看到的内容会保留，重新加载后即可完整显示。', signedOut: '此浏览器已退出登录。请在这台计算机上运行 npm start -- open PATH，并打开它显示的地址。此页面会保留，之后将继续更新。' },
  palette: { label: '前往或执行', placeholder: '前往仪表板或表，或执行操作…', empty: '没有匹配项。', dashboards: '仪表板', overviews: '概览', tables: '表', actions: '操作', toHome: '前往主页', toData: '前往数据', clear: '清除选择和筛选', theme: '切换主题', api: '阅读 API 文档' },
  keys: {
    title: '快捷键', next: '然后', signs: { control: 'Ctrl', shift: 'Shift', enter: 'Enter', escape: 'Esc', remove: 'Del', pageDown: 'Page ↓' }, letters: '单独的字母和符号键可触发操作', lettersHint: '关闭后，只响应带 Ctrl 或 ⌘ 的按键：适合使用语音输入或容易误触的人。此列表也可从命令面板打开。',
    everywhere: '任何位置', go: '前往或执行', list: '这些快捷键', navigation: '显示或隐藏导航',
    dashboard: '仪表板', refresh: '重新查询', filters: '转到筛选条件', fullScreen: '全屏', kiosk: '大屏模式：只显示仪表板，逐页轮播', leaveKiosk: '退出 (K)', clearSelections: '清除选择',
    tile: '在图块上', toTile: '从内容回到图块', walkTiles: '到该方向的下一个图块', intoTile: '进入图块', date: '到日期筛选', chart: '图表', walk: '在标记间移动', select: '选择标记', brush: '刷选', open: '打开标记', panels: '转到另一个小图', closer: '更近地查看时间和数字', farther: '从更远处查看',
  },
  home: {
    favourite: title => `收藏：${title}`, moveFolder: '重命名或移动文件夹', moveTo: '名称（用 / 表示子文件夹）', move: '移动', allFolders: '所有文件夹', showAll: count => `显示全部 ${count} 个`, bin: count => `回收站（${count}）`, restore: '恢复', firstPage: '第 1 页', create: '新建仪表板', about: '数据模型', empty: '从空白开始', fromOverview: '从概览开始', title: '主页',
    greeting: title => title,
    status: (dashboards, tables, reading, failed) => [`${count(dashboards)} 个仪表板，${count(tables)} 个表。`, reading > 0 ? `正在读取 ${count(reading)} 个表。` : '', failed > 0 ? `${count(failed)} 个文件无法读取。` : ''].filter(Boolean).join(''),
    saved: '仪表板', overviews: '各表概览', overviewsHint: '由数据生成。在您保存之前不会保存任何内容。',
    all: '全部仪表板', name: '名称', folder: '文件夹', tiles: '图块', updated: '更新时间', state: '状态',
    emptyTitle: '这里还没有内容', emptyText: '将 CSV、JSON、Parquet 或 Excel 文件拖到这里，或放入此文件夹：每个文件会立即成为一个带有概览的表。',
    thumbnail: title => `${title} 的图片`,
    search: '搜索仪表板', noMatch: '没有标题、文本或字段与之匹配的仪表板。',
  },
  states: { ready: '就绪', reading: '正在读取', broken: '有错误', waiting: '等待中', rejected: '无法读取', stopped: '已停止', saved: '已保存', overview: '概览' },
  dashboard: {
    edit: '编辑', pages: '页面', save: '保存', saveAs: '保存仪表板', saveName: '名称', saveHint: '它会成为 “dashboards” 文件夹中的一个文件，可供阅读、修改和审阅。',
    dataTime: time => `数据截至 ${time}`, problems: problems => `此文档中有 ${count(problems)} 个错误`,
    readingTitle: '正在读取', readingText: '此仪表板的数据仍在读取中，完成后会自动打开。',
    readingTable: (name, percent) => (percent === undefined ? name : `${name}：${percent}%`),
    brokenTitle: '无法显示此仪表板', brokenText: '其文件有错误。修正后此页面会自动更新。',
    waitsFor: source => `“${source}”等待您的确认。在此之前其图块为空。`, confirmSource: '查看并确认',
    staleLink: '此链接的一部分已不适用于该仪表板，已被忽略。',
    stale: age => `已过期：${age}前`,
    zone: zone => `时间以 ${zone} 为准`, takeAway: '下载', print: '打印',
  },
  notes: {
    menu: count => (count > 0 ? `事件 (${count})…` : '记录事件…'), title: '发生了什么', hint: '显示在此仪表板的时间图表上，所有能看到它的人都可见。', add: '新事件', changeTitle: '更改事件', from: '日期或第一天', to: '最后一天（可选）', what: '发生了什么', save: '保存', cancel: '取消', undo: '撤销',
    order: '结束早于开始。', change: text => `更改“${text}”`, remove: text => `移除“${text}”`, removed: text => `已移除：${text}`,
  },
  views: {
    label: '您的视图', save: '保存此视图…', saveTitle: '保存此视图', saveHint: '以您起的名称保存筛选、选择以及对图块的更改。其他人看不到。', name: '名称', keep: '保存', replaces: '已有同名视图，将被替换。', remove: name => `删除“${name}”`,
    asLeft: what => `恢复上次（${what}）`,
  },
  filters: {
    label: '筛选', button: set => (set > 0 ? `筛选（${set}）` : '筛选'), all: '全部', any: '任意时间', clear: '清除', reset: '重置', apply: '应用', search: '搜索值', none: '没有匹配的值。', hint: '在一个图表上选择，其他图表随之联动。',
    cut: shown => `前 ${shown} 个；其余请搜索。`, from: '从', to: '到', contains: '包含', relative: '相对范围', relativeHint: 'last 30 days, this month',
    relativeError: '请写成 `last 30 days` 或 `this month`。', presets: '范围', last: text => `最近 ${text.split(' ')[0]} ${units[(text.split(' ')[1] ?? '').replace(/s$/, '')] ?? ''}`, this: unit => periods[unit] ?? unit, range: (from, to) => `${from} 至 ${to}`,
    notNumber: '不是数字。', selected: (tile, what) => `${tile}：${what}`, selectionOn: tile => `${tile} 上的选择`, removeSelection: tile => `清除 ${tile} 上的选择`, locked: '已锁定',
    least: value => `至少 ${value}`, below: value => `低于 ${value}`, calendar: '日历', not: values => `除 ${values} 之外`, removeFilter: field => `清除 ${field} 的筛选`, compare: '比较', compareWith: { made: '按原设定', 'previous period': '上一周期', 'previous year': '上一年', nothing: '不比较', custom: '其他日期…' },
  },
  tile: {
    loading: '加载中', forbidden: '您无权查看', forbiddenText: '此处显示的内容您无权查看。', emptyTitle: '没有可显示的内容', emptyText: '筛选后没有剩余的行。', noRows: '没有行。', emptyUnder: filters => `在 ${filters} 之下没有剩余的行。`, failed: '无法得到答案', retry: '重试', asTable: '显示为表格', asChart: '显示为图表', large: '放大显示', small: '在页面中显示',
    clear: '清除选择', compared: '对比', nothingBefore: '之前的周期没有数据', zeroBefore: zero => `之前的周期为 ${zero}`, nothingToCompare: '请设置日期范围以便比较', comparisonNotOffline: '离线时无法比较', notApplied: fields => `未按 ${fields} 筛选`, lastAnswer: time => `数据源无法访问：截至 ${time}`, filled: { zero: '无数据处为零', carry: '无数据处沿用上一个值', interpolate: '无数据处插值' }, nearBrush: '刷选期间为近似值', coarser: unit => `为适应显示按${unit}汇总`, sampled: (rows, of) => `近似：${of} 行中的 ${rows} 行`,
    outside: share => `${share} 超出坐标轴`, noValue: share => `${share} 无值`,
    chartHelp: '方向键移动标记，回车选择，Shift 加方向键框选，Esc 清除。', of: '/', selectedRange: what => `已选择 ${what}`, cleared: '已清除选择',
    menu: '更多', rows: '查看行', rowsOfSelection: '查看所选的行', rowsOf: tile => `“${tile}” 背后的行`, grain: '时间粒度', breakOut: '按此拆分', open: '打开所选标记', goWith: '带着选择前往', asMade: '恢复原样', keepOnly: '只保留所选', exclude: '排除所选',
    zoom: '放大所选范围', zoomOut: '恢复全部', earlier: '向前', later: '向后',
    copyText: '复制为文本', copyPicture: '复制为图片', copyLink: '复制链接', takeAway: '下载', trail: '已打开的标记', allOfIt: '全部', sinceBefore: '较前一个', points: points => `${points} 个百分点`, shareOfAll: '占全部', legendHint: '单击只显示此项，按住 Shift 单击可移除',
  },
  units: { year: '年', quarter: '季度', month: '月', week: '周', day: '日', hour: '小时', minute: '分钟', fiscalQuarter: '财季', fiscalYear: '财年' },
  seeAs: { label: '以他人身份查看…', person: (name: string) => `以${name}的身份查看`, now: (name: string) => `您正以${name}的身份查看：只有其可见的行与字段。`, back: '恢复自己的身份' },
  taking: {
    making: format => `正在生成 ${format}`, coming: (format, size) => `${format}：已接收 ${size}`, stop: '停止', close: '关闭',
    copied: '已复制', notCopied: '未能复制。请在浏览器中允许此页面复制，或改为下载。',
  },
  formats: { png: '图片（PNG）', svg: '矢量图（SVG）', pdf: 'PDF', csv: '文本（CSV）', xlsx: 'Excel（XLSX）', parquet: 'Parquet', html: '可离线打开的单页（HTML）' },
  pivot: { total: '合计' },
  table: { course: (unit, from, to, least, most, last) => `按${unit}，${from} 至 ${to}：最低 ${least}，最高 ${most}，最后 ${last}`, columns: '列', region: title => `${title}：表格`, next: '下一页', previous: '上一页', sort: column => `按 ${column} 排序`, page: (from, to, total) => `第 ${from}–${to} 行，共 ${total} 行` },
  data: {
    explore: '探索', title: '数据', source: '文件', status: (tables, rows) => `${count(tables)} 个表，${rows} 行`, table: '表', rows: '行', columns: '列', size: '大小', files: '文件', state: '状态',
    leftOut: '不是表的文件', sql: '用 SQL 查询', editModel: '编辑模型', openOverview: '打开概览', preview: '前几行', columnsTitle: '列', reportTitle: '读取方式', type: '类型', nulls: '无值', empties: '空', distinct: '不同值', range: '范围', top: '最常见', column: '列', search: '搜索列',
    report: (read, kept, rejected) => `读取 ${read} 行 = 保留 ${kept} + 拒绝 ${rejected}`, encoding: '编码', delimiter: '分隔符', header: '表头', yes: '是', no: '否', rejected: '被拒绝的行', downloadRejected: '下载为 CSV', line: '行', reason: '原因', text: '文本', tab: '制表符', empty: '还没有表。将数据文件放入文件夹，它们就会出现在这里。',
    columnsCut: (shown, total) => `${total} 列中的 ${shown} 列`,
  },
  uploads: {
    title: '添加数据', drop: '将文件拖放到此处以添加到数据中', add: '添加文件', sending: '正在发送', reading: '正在读取', there: '已有同名文件。', replace: '替换', keepBoth: '两者都保留', close: '关闭', pasted: '粘贴',
    changed: (before, after, added, gone) => [`之前 ${before} 行，现在 ${after} 行。`, added ? `新增列：${added}。` : '', gone ? `移除的列：${gone}。` : ''].filter(Boolean).join(''),
  },
  sources: {
    title: '数据库', empty: '还没有。连接 PostgreSQL、MySQL、MariaDB 或 ClickHouse，其中的表就像文件一样出现在这里。', connect: '连接数据库', kind: '数据库类型',
    kinds: { postgres: 'PostgreSQL', mysql: 'MySQL 或 MariaDB', clickhouse: 'ClickHouse', duckdb: 'DuckDB', sqlite: 'SQLite' }, states: { unconfirmed: '未确认', unchecked: '尚未尝试', connecting: '正在连接', ready: '就绪', degraded: '异常', failed: '无法访问' },
    name: '名称', host: '主机', port: '端口', hostError: '只填名称或地址：不含 https://，端口填在旁边', portError: '1 到 65535 之间的数字', database: '数据库', user: '用户', password: '密码', test: '测试连接', trying: '正在尝试…', retry: '重试',
    hint: '可将 postgres://user:password@host/database 这样的地址粘贴到“主机”，或逐项填写。请使用只有查询权限的用户。连接会成为 “sources” 文件夹中的一个文件；密码另存于旁，仅此账户可读。',
    reached: (server, tables) => `已连接：${server}，${count(tables)} 个表。`, tables: tables => `${count(tables)} 个表`, watermarks: '数据有多新', tablesTitle: '表', columns: columns => `${count(columns)} 列`, about: rows => `约 ${rows} 行`, view: '视图', since: time => `自 ${time}`, drift: '其中表的变化', search: '搜索表',
    unconfirmed: '此数据源随工作区而来。信任后，Belvedere 将：', trust: '信任并连接', trustHint: '在此之前不会解析地址、连接或发送任何内容。只有知道此工作区由谁制作时才信任它。', review: '查看',
    access: access => {
      const { path, database, user, password, authority, tls } = access;
      if (path !== undefined) return `读取工作区之外的文件 ${path}。`;
      const named = ({ from, name }: NonNullable<typeof password>) => (from === 'env' ? `环境变量 ${name}` : `密钥文件 ${name}`);
      return [
        `以 ${user} 身份连接 ${accessAddress(access)}，数据库 ${database}，${password ? `并发送${named(password)}` : '不发送密码'}。`,
        ...(tls === 'off' ? ['连接未加密。'] : []),
        ...(authority ? [`根据${named(authority)}中的证书信任该服务器。`] : []),
      ].join('');
    },
    change: '更改连接', unchanged: '不变', changeHint: '在此输入的密码只属于其主机、端口和用户：更改后请重新输入。',
  },
  reading: {
    progress: (percent, file) => `正在读取，${percent} %${file ? `（第 ${count(file.number)} 个文件，共 ${count(file.of)} 个）` : ''}`,
    stop: '停止读取', again: '重新读取', stopped: '读取已停止。此前读取的版本（如果有）继续提供服务。',
    title: '此表的读取方式', open: '更改读取方式', guess: '按推测', skip: '表头之上的行数', decimal: '数字写法', dates: '日期开头是', nulls: '表示无值的文本', columns: '列类型', nested: '对象中的对象', nestings: { columns: '单独成列', text: '保留为 JSON 文本' }, save: '保存并重新读取', cancel: '取消',
    orders: { 'day first': '日', 'month first': '月', 'year first': '年' },
    hint: table => `您的决定保存在工作区的 “tables/${table}.yaml” 中；其余仍为推测。`,
    nearly: (column, type, fits, all) => `“${column}” 的 ${all} 个值中有 ${fits} 个是${type}。由于以下值，该列保留为文本：`, decide: (type, misfits) => `读取为${type}，舍弃 ${count(misfits)} 个值`, misfit: (value, file, line) => `“${value}”${file ? `（${file}${line === undefined ? '' : `，第 ${count(line)} 行`}）` : ''}`,
    question: (columns, example) => `“${columns}” 中的日期有两种读法（例如 ${example}），文件中没有说明是哪一种。在您说明哪个在前之前，它们保留为文本：`,
  },
  explain: {
    button: '解释此数字', title: tile => `“${tile}” 的由来`, value: '值', nothing: '无', rows: '读取的行', rowsOf: (rows, all) => `${all} 中的 ${rows}`, nulls: '无值', filters: '筛选', none: '无', policies: '行策略', unbound: '对所有者不适用', noPolicy: '没有策略适用于此读者：其看不到任何行', unfit: '· 其属性与之不符', notApplied: '未应用', from: '来自', joins: '关联', dataTime: '数据截至', zone: '时间以此为准',
    owners: { model: '· 由模型设置', reader: '· 在此设置', dashboard: '· 由仪表板设置', tile: '· 由此图块设置', selection: '· 选择于', mark: '· 该标记' },
  },
  types: { integer: '整数', decimal: '小数', number: '数字', text: '文本', boolean: '是或否', date: '日期', time: '日期和时间', instant: '时刻', other: '嵌套' },
  problems: chineseProblems,
  errors: { notFoundTitle: '不在这里', notFoundText: '此地址没有内容，或未与您共享。', goHome: '前往主页', brokenTitle: '此页面已停止', brokenText: '这是 Belvedere 的故障，您的数据未受影响。', reload: '重新加载', unreachable: 'Belvedere 没有响应。它还在运行吗？' },
  language: { title: '语言', name: '简体中文' },
  editing: { line: (line, column) => `第 ${line} 行，第 ${column} 列` },
};
