import type { EditorMessages } from './en.ts';

export const zh: EditorMessages = {
  editing: '编辑',
  state: { guessed: '推测的，尚未保存', clean: '没有更改', draft: '草稿', saving: '正在保存…', saved: '已保存', away: '尚未留存：服务器没有响应', broken: '文本有错误' },
  undo: step => (step ? `撤销：${step}` : '没有可撤销的操作'),
  redo: step => (step ? `重做：${step}` : '没有可重做的操作'),
  save: '保存', discard: '放弃', close: '完成',
  discardTitle: '放弃草稿？', discardText: '文档将恢复为已保存的内容。只要此页面还开着，就可以用“撤销”找回草稿。',
  saveTitle: '保存仪表板', saveMessage: '更改说明', saveMessageHint: '可不填；会写入历史记录', cancel: '取消',
  notices: { merged: '文件在别处被更改。两边的更改现在都在草稿中。', 'other window': '在另一个窗口中被更改。', recovered: '服务器离线时您未保存的内容已恢复。' },
  panels: { add: '添加', text: '文本', tile: '图块', page: '仪表板', show: '面板' },
  steps: { add: '添加图块', move: '移动', resize: '调整大小', remove: '移除', duplicate: '复制一份', paste: '粘贴', cut: '剪切', align: '对齐', title: '标题', kind: '显示为', field: '字段', setting: '设置', typing: '输入', page: '页面', filter: '筛选', theme: '颜色', parameter: '参数', discard: '放弃', restore: '恢复', rename: '重命名', model: '模型' },
  add: {
    kinds: '图表', fields: model => `${model} 的字段`, find: '查找字段', none: '没有名称包含它的字段。', measures: '度量', dimensions: '维度', hint: '单击添加，或拖到页面上，或拖到图块的字段上。', moreKinds: '所有类型', fewerKinds: '收起', noModel: '此仪表板还没有模型。请选择：', distinct: count => `${count} 个值`, between: (low, high) => `${low} – ${high}`,
  },
  parameters: {
    title: '参数', add: '添加参数', remove: name => `移除参数 ${name}`, label: '标签', default: '初始值', min: '最小', max: '最大', step: '步长', addOption: '添加选项', kinds: { measure: '一个度量', field: '一个字段', timeUnit: '时间粒度', number: '一个数字', choice: '若干词中的一个' }, names: { measure: 'measure', field: 'field', timeUnit: 'grain', number: 'number', choice: 'view' },
    use: name => `在文本中写 \`:${name}\` 表示它，在标题中写 \`{{ :${name} }}\`。`,
  },
  calendar: { title: '时间', zone: '时区', weekStart: '每周开始于', fiscalYearStart: '财年开始于', workspaces: '与工作区相同' },
  theme: { title: '颜色', accent: '强调色', series: place => `系列 ${place}`, addSeries: '为下一个系列选颜色', mode: '浅色或深色', modes: { '': '按读者的设置', light: '浅色，除非读者另选', dark: '深色，除非读者另选' }, values: '各值的颜色', reset: name => `${name}：恢复原样` },
  presence: { title: '其他窗口', window: number => (number === undefined ? '另一个窗口' : `窗口 ${number}`), at: (window, place) => `${window}，在“${place}”` },
  guides: {
    title: '参考线、区带、走势', one: place => `参考线 ${place}`, form: '类型', forms: { value: '某个值处的线', mean: '平均值线', median: '中位数线', band: '值的区带', at: '横轴上的线', stretch: '横轴上的一段' }, at: '位置', label: '名称', add: '添加线或区带', remove: place => `移除参考线 ${place}`,
    trend: '走势', trends: { '': '无', linear: '直线', loess: '曲线', movingAverage: '移动平均' }, places: '所含位置数',
  },
  annotations: { title: '图上的文字', one: place => `文字 ${place}`, text: '内容', fresh: '此处可见之事', add: '在标记处写字', remove: place => `移除文字 ${place}`, any: '任意', atNumber: '在数值处（否则在标记处）', at: { x: '横向位于', y: '纵向位于', detail: '位于此点', color: '颜色为', column: '在此列图中', row: '在此行图中' } },
  columns: { sort: '排序依据', sparklines: '附带随时间的走势', pinned: '滚动时固定的列数', title: '列', bars: '同时显示为条', highlight: place => `着色 ${place}`, column: '列', values: '其中之一（用逗号分隔）', look: '颜色', looks: { good: '绿：好', warn: '黄：留意', bad: '红：差', accent: '强调色' }, add: '给单元格着色', remove: place => `移除着色 ${place}` },
  shown: { title: '显示', label: '何时', always: '始终', nothingMore: '无更多条件', remove: '移除此条件', and: '并且', when: { parameter: '参数为某值时', filtered: '字段被筛选时', notFiltered: '字段未被筛选时', selected: '在此图块上有选择时', notSelected: '在此图块上没有选择时' }, parameter: '参数', is: '等于', field: '字段', tile: '图块' },
  keys: { title: '编辑器', undo: '撤销', redo: '重做', all: '选择全部图块', none: '取消选择', copy: '以文本形式复制图块', paste: '粘贴图块', walk: '在图块间移动', lift: '拿起图块并放下', move: '移动拿起的图块', resize: '调整拿起的图块大小', sql: 'SQL 编辑器', run: '运行', format: '格式化', comment: '注释', leave: '按 Tab 离开输入框' },
  canvas: {
    hidden: '目前不显示：', label: '正在编辑的页面', emptyTitle: '此页面还没有内容', emptyText: '单击左侧的图表或字段，或将其拖到这里。或从以下之一开始：', drop: '放在这里', tile: (title, column, row, width, height) => `${title}：第 ${column} 列，第 ${row} 行，宽 ${width}，高 ${height}`,
    lifted: '已拿起。方向键移动，Shift 加方向键调整大小，Enter 放下，Esc 放回。', placed: '已放下。', resize: { e: '宽度', s: '高度', se: '宽度和高度', w: '左边', n: '上边', sw: '左边和高度', ne: '上边和宽度', nw: '左边和上边' }, titleOf: '图块标题', chosen: count => `已选择 ${count} 个图块`, stale: '文本有错误；这是出错之前的样子。',
  },
  tile: {
    compare: '对比', comparedWith: { '': '无', 'previous period': '上一周期', 'previous year': '上一年', days: '自选日期' }, target: '目标', targetIs: '应达到', targetNumber: '一个数字', heat: '按数值给单元格着色', whiskers: '须线止于', whiskersAt: { '5-95': '第 5 与第 95 百分位', 'min-max': '最小值与最大值' },
    scales: '刻度', scalesOf: { shared: '所有图表共用', free: '各图表独立' }, selects: '可以选择其标记', listens: '选择', listensTo: '跟随', listening: { all: '所有图块', none: '无图块', some: '部分图块' }, drill: '打开标记', drillText: '按下列字段中的下一个单独显示该标记；若没有，则按模型的层级和更细的时间。', addLevel: '添加字段', previews: '用数据预览每种', previewsTitle: '同样的数据，显示为', showAs: '显示为', cannot: kind => `${kind}：缺少所需的字段`, title: '标题', subtitle: '副标题', description: '说明', name: '文本中的名称', nameTaken: '另一个图块已有此名称，或它不是小写字母、数字和 _。', drop: '放置字段', change: '更换', more: '添加', choose: '选择字段', remove: field => `移除 ${field}`, options: field => `${field} 的选项`, text: '文本（Markdown）', file: '文件夹“images”中的文件', alt: '图片内容（供看不见的人）', shape: '形状', shapes: { countries: '国家', 'us-states': '美国各州', 'us-counties': '美国各县' },
    data: '数据', look: '外观', place: '位置', opens: '打开另一个仪表板', nothing: '无', labels: '在图形上显示数值', filters: '仅此图块的筛选', page: '页面', align: '与第一个对齐', aligned: { left: '左', right: '右', top: '上', bottom: '下', 'same width': '宽度', 'same height': '高度' }, column: '列', row: '行', width: '宽度', height: '高度',
  },
  wells: { value: '值', spark: '走势', detail: '每个值一个点', x: '横轴', y: '纵轴', color: '颜色', column: '并排', row: '上下排列', layers: '图层', open: '开', high: '高', low: '低', close: '收', theta: '值', levels: '层级', size: '大小', region: '地区', longitude: '经度', latitude: '纬度', columns: '列', rows: '行', values: '值', field: '字段', shape: '点的形状', order: '按此连线', tooltip: '指向时显示' },
  field: {
    sortMeasure: '度量', sortOrder: '先后', listed: '值，每行一个', domainFrom: '轴起点', domainTo: '轴终点', reverse: '反向', tickCount: '轴上大约个数', axisFormat: '轴上格式',
    gaps: '没有数据处', fillings: { '': '留空', zero: '零', carry: '沿用上一个值', interpolate: '插值到下一个' }, unit: '时间粒度', bins: '分组', noBins: '每个值', autoBins: '自动', step: '组距', sort: '顺序', sorts: { none: '默认', ascending: '升序', descending: '降序', '-value': '从大到小', value: '从小到大', measure: '按度量', list: '按列表' }, limit: '最多', aggregate: '计算方式', aggregates: { count: '计数', sum: '总和', mean: '平均值', median: '中位数', min: '最小值', max: '最大值', distinct: '不同值', q1: '下四分位数', q3: '上四分位数', stdev: '标准差', variance: '方差' },
    format: '格式', formats: { '': '按模型', integer: '整数', '.1f': '一位小数', '.2f': '两位小数', percent: '百分比', currency: '货币', bytes: '字节', duration: '时长' }, show: '显示为', shows: { '': '数值', 'running total': '累计', 'share of total': '占总数比例', difference: '差值' }, stack: '堆叠', stacks: { '': '默认', zero: '逐层堆叠', normalize: '至 100%', center: '居中', false: '并排' }, mark: '绘制为', axis: '刻度', axes: { left: '左', right: '右' }, zero: '从零开始', scale: '刻度', scales: { linear: '均匀', log: '对数', sqrt: '平方根', symlog: '零附近的对数' }, axisTitle: '坐标轴标题', axisLabels: '坐标轴标签', axisGrid: '网格线', legend: '图例', legendTitle: '图例标题',
  },
  page: {
    title: '标题', description: '说明', model: '模型', pages: '页面', addPage: '添加页面', newPage: count => `第 ${count} 页`, up: title => `前移“${title}”`, down: title => `后移“${title}”`, remove: title => `移除“${title}”`, filters: '筛选', addFilter: '添加筛选', removeFilter: field => `移除 ${field} 的筛选`, control: '控件', controls: { '': '按字段', dateRange: '日期范围', multiSelect: '多选', numberRange: '数字范围', search: '搜索' }, locked: '锁定', hidden: '隐藏', useNow: '以当前设置为默认', removeDashboard: '放入回收站', removeTitle: '将此仪表板放入回收站？', removeText: '它会保留 30 天，可以从主页恢复。', place: '地址（用 / 分文件夹）', move: '移动',
  },
  explore: { staleLink: '此链接的部分内容无法识别，已忽略。', title: model => `探索 ${model}`, save: '保存到仪表板', fresh: '新仪表板', to: '位置', name: '名称', find: '查找字段', chart: '图表', rows: '行', clear: '清除选择', put: field => `将 ${field} 放入图表`, about: (type, distinct) => `${type}，${distinct} 个值`, empty: share => `${share} 无值`, more: count => `还有 ${count} 个字段；可按名称查找。` },
  model: {
    sql: 'SQL', openSql: '在 SQL 编辑器中修改', title: '模型', text: '模型的文本', saveTitle: '保存模型', follow: count => `同时更改使用它的 ${count} 个仪表板`, left: titles => `模型已保存。以下仪表板无法更改，现在引用了不存在的名称：${titles}。请打开它们进行修正。`, columns: '列', entry: '所选项', preview: '用数据看', findColumn: '查找列', columnsHint: '点击可把列加入模型；Σ 生成对它求和的度量。', isUsed: column => `${column} 已在模型中`, take: column => `把 ${column} 加入模型`, addUp: column => `对 ${column} 求和`,
    dimensions: '维度', measures: '度量', joins: '关联', one: { dimensions: '维度', measures: '度量', joins: '关联', hierarchies: '层次', filters: '筛选', policies: '策略' }, addDimension: '添加维度', addMeasure: '添加度量', addJoin: '添加关联', newDimension: 'dimension', newMeasure: 'measure', noDimensions: '模型中还没有列。请从左侧加入。', noMeasures: '每个模型都能统计行数。请添加其他要计数或求和的内容。', noJoins: '没有关联其他表。关联会带来另一张表的列，其中每个键只出现一次。',
    policies: '行策略', addPolicy: '添加策略', newPolicy: '新策略', newGroup: '组', noPolicies: '能看到此模型的人都能看到其所有行。策略规定哪些行对谁存在。', binds: '适用于', everyone: '所有人', groups: '组', groupNames: '组，用逗号分隔', rowsWhere: '对其存在的行', attributeHint: ':user.NAME 是读者的一个属性。多条策略适用于同一人时，任一策略允许的行都可见；没有策略适用时，什么都看不到。', hides: '对其不存在', noPeople: '在 tests/ 的文件中说明人员后，此处会显示每人能看到多少行。',
    hierarchies: '层次', filters: '筛选', addHierarchy: '添加层次', newHierarchy: 'levels', noHierarchies: '打开某个维度的标记会显示其层次中的下一个：国家，然后城市。', noFilters: '在没有对其字段另作说明的每个仪表板上都有效的条件，例如排除测试数据。', addLevel: '再下一级', holds: '计入哪些', ways: { oneOf: '仅这些', noneOf: '除这些之外', range: '一个范围' }, values: '值', otherValue: '其他值（Enter）', from: '从', below: '小于',
    steps: { add: '添加' }, nameTaken: '另一项已有此名称，或者名称不是由小写字母、数字和 _ 组成。', label: '标签', means: '来自', column: '列', expression: '表达式', link: '链接到', watermark: '数据新鲜度取自', linkError: '包含 {value} 的网址、邮件地址或仪表板地址。', byType: '按类型', role: '角色', roles: { '': '无', identifier: '标识', latitude: '纬度', longitude: '经度' }, isHidden: '不在列表中提供', unit: '单位', better: '好的方向', betters: { '': '无', up: '越多越好', down: '越少越好' }, joinedTable: '表', joinedOn: '满足以下条件的行相关联', addKey: '再加一列', source: '数据源', table: '表', time: '时间', hint: '仪表板使用名称；标签可随时更改。',
    reading: '表仍在读取。', noPreview: '没有错误后，这里会显示结果。', about: (type, distinct, rows) => `${type}，${rows} 行中有 ${distinct} 个不同的值。`, empty: share => `${share} 没有值。`, moreValues: count => `还有 ${count} 个`, overall: '所有行',
    joinFound: (found, rows, there) => `${rows} 行中有 ${found} 行在 ${there} 行中找到对应的一行。`, joinKeyed: '那里每个键只出现一次，因此不会重复计算。', joinRepeated: keys => `那里出现多次的键：${keys}。带有这些键的行不会被关联，以免重复计算。`,
  },
  sql: {
    columnsOf: table => `${table} 的列`, title: source => `${source} 的 SQL`, titleOf: model => `${model} 的 SQL`, label: 'SQL', run: '运行', stop: '停止', running: '正在运行…', format: '格式化', history: '在此运行过的语句', tables: '表', findTable: '查找表或列', results: '结果', chart: '图表', rows: count => `${count} 行`, firstRows: count => `前 ${count} 行；还有更多`, shownOf: (shown, of) => `绘制了 ${of} 中的 ${shown}。`, along: '沿', amount: '数量', noChart: '图表需要一个数字列和另一列。', takeAway: '下载全部', nothingYet: '语句的结果显示在这里。', keys: 'Ctrl Enter 运行所选内容或全部。Shift Ctrl F 格式化，Ctrl / 注释。按 Escape 再按 Tab 离开。', noFormat: '无法按现状格式化。', saveModel: '另存为模型', saveText: '模型保留其维度和度量；只更改其 SQL。', saveNewText: '列成为维度，数字成为对其求和的度量。两者都可随即更改。', changed: 'SQL 已更改',
  },
  history: { was: '当时', title: '历史记录', open: '历史记录', saved: '已保存', disk: '在磁盘上被更改', current: '当前', compare: '从它到当前文本的变化', restore: '恢复此版本', same: '没有差异', none: '还没有保存任何内容。' },
  text: { label: '仪表板的文本', line: (line, column) => `第 ${line} 行，第 ${column} 列`, fix: word => `改为 ${word}`, problems: count => `${count} 个错误`, leave: '按 Esc 再按 Tab 离开文本。' },
  conflict: { title: '有两种不同的更改', text: '您编辑时文件被更改，且两者不同。请逐一选择；不会丢失任何内容，两者都在历史记录中。', mine: '您的', theirs: '对方的', gone: '已移除', done: '使用这些', whole: '整个文本：尚未输入完整，无法分项比较', compare: '从对方到您的', at: path => `位于 ${path}` },
  kinds: { kpi: '指标', bar: '条形', line: '折线', area: '面积', combo: '组合', heatmap: '热图', scatter: '散点', calendar: '日历', boxplot: '箱线', waterfall: '瀑布', candlestick: 'K 线', pie: '饼图', donut: '环形', treemap: '矩形树', sunburst: '旭日', sankey: '桑基', funnel: '漏斗', gauge: '仪表', radar: '雷达', map: '地图', table: '表格', pivot: '透视', text: '文本', image: '图片', control: '筛选' },
};
