import { labelInSentence, localize, type Aggregate, type TimeUnit } from '@belvedere/document';
import type { Gaps, ShowAs } from '@belvedere/query';
import { formatList } from './format-list.ts';
import { spaceLatin } from './space-latin.ts';

type AggregateName = Aggregate | 'p05' | 'p95';
type GuessedName = 'total' | 'average';

/** The texts in charts, in each language of the interface. */
export interface ChartMessages {
  readonly other: string;
  readonly noValue: string;
  readonly empty: string;
  readonly yes: string;
  readonly no: string;
  readonly outside: string;
  readonly range: (from: string, to: string) => string;
  readonly startsAt: (value: string) => string;
  readonly logScale: string;
  readonly sized: (measure: string) => string;
  /** How many values of a field name no region of the map. */
  readonly notOnMap: (count: number) => string;
  /** How many values have no mark, and why. */
  readonly undrawnRows: Readonly<Record<'negative' | 'not above zero', (count: number) => string>>;
  /** The title of a chart without one: `Flights by origin and day`. */
  readonly by: (measure: string, fields: readonly string[]) => string;
  /** … and where its only field is the time of its model. */
  readonly overTime: (measure: string) => string;
  /** The title of a histogram that counts rows. */
  readonly distributionOf: (field: string) => string;
  /** A measure under a table calculation. */
  readonly calculated: Readonly<Record<ShowAs, (measure: string) => string>>;
  /** The title of a map without one. */
  readonly mapOf: (title: string) => string;
  /** Why there is no picture. */
  readonly emptyReasons: Readonly<Record<'rows' | 'values' | 'parts' | 'positive', string>>;
  readonly total: string;
  readonly mean: string;
  readonly median: string;
  /** A figure's or gauge's target. */
  readonly target: {
    readonly name: string;
    readonly alone: (target: string) => string;
    /** `82% of 1.5M` */
    readonly reached: (share: string, target: string) => string;
    readonly judged: (text: string, isMet: boolean) => string;
  };
  /** The bands of a gauge. One in the accent colour has no name. */
  readonly bands: { readonly name: string } & Readonly<Record<'good' | 'warn' | 'bad' | 'accent', string>>;
  readonly others: string;
  readonly figures: {
    readonly low: string;
    readonly q1: string;
    readonly median: string;
    readonly q3: string;
    readonly high: string;
  };
  readonly ohlc: {
    readonly open: string;
    readonly high: string;
    readonly low: string;
    readonly close: string;
  };
  readonly quarter: (quarter: number, year: number) => string;
  /** Called by the year it ends in. */
  readonly fiscalYear: (year: number) => string;
  readonly fiscalQuarter: (quarter: number, year: number) => string;
  /** A date with its year. */
  readonly quarterAlone: (quarter: number) => string;
  /** A label within a sentence; abbreviations stay in capitals. */
  readonly inSentence: (label: string) => string;
  /** Time units within a sentence. */
  readonly units: Readonly<Record<TimeUnit, string>>;
  /**
   * The labels of aggregates, of the measure that every model has, and of measures guessed from a table's
   * columns.
   */
  readonly aggregates: { readonly rows: string } & Readonly<
    Record<AggregateName | GuessedName, (field: string) => string>
  >;
  /** Conditions of filters. */
  readonly filter: {
    readonly all: string;
    readonly last: (count: number, unit: TimeUnit, isComplete: boolean) => string;
    /** The current period. */
    readonly this: (unit: TimeUnit) => string;
    readonly range: (from: string, to: string) => string;
    readonly least: (value: string) => string;
    readonly below: (value: string) => string;
    readonly not: (values: string) => string;
  };
  /** The period with which a figure is compared. */
  readonly comparison: {
    readonly with: string;
    readonly nothingBefore: string;
    /** The comparison period begins before the data. */
    readonly noDataBefore: (day: string) => string;
    readonly zeroBefore: (zero: string) => string;
  };
  /** Notes on a tile's data, beside its title. */
  readonly notes: {
    readonly notApplied: (fields: string) => string;
    readonly rankedUnfiltered: string;
    readonly lastAnswer: (time: string) => string;
    readonly firstFiles: (files: string, of: string) => string;
    /** Of a table of which only a sample is imported. */
    readonly sampled: (percent: string) => string;
    readonly filled: Readonly<Record<Gaps, string>>;
    readonly coarser: (unit: TimeUnit) => string;
    readonly outside: (share: string) => string;
    readonly noValue: (share: string) => string;
    /** How many of how many rows a drawn table has. */
    readonly rows: (shown: string, of: string) => string;
    /** How many columns of a drawn table have no room. */
    readonly moreColumns: (count: number) => string;
  };
  readonly about: {
    readonly dashboard: string;
    readonly filters: string;
    readonly selected: string;
    readonly zone: string;
    readonly dataTime: string;
    readonly made: string;
  };
  readonly summary: {
    readonly one: (measure: string, value: string) => string;
    readonly nothing: (measure: string) => string;
    readonly count: (measure: string, count: number, what: TimeUnit | 'ranges' | 'values') => string;
    readonly series: (count: number) => string;
    readonly extremes: (
      largest: string,
      largestValue: string,
      smallest: string,
      smallestValue: string,
    ) => string;
    readonly trend: (first: string, last: string) => string;
    readonly filtered: string;
  };
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const englishUnits: ChartMessages['units'] = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  week: 'week',
  day: 'day',
  hour: 'hour',
  minute: 'minute',
  fiscalYear: 'fiscal year',
  fiscalQuarter: 'fiscal quarter',
};

/** The names of what an axis has, singular and plural. */
const englishPlurals = (what: TimeUnit | 'ranges' | 'values'): [string, string] => {
  const one = what === 'ranges' ? 'range' : what === 'values' ? 'value' : englishUnits[what];
  return [one, `${one}s`];
};

const en: ChartMessages = {
  other: 'Other',
  noValue: '(null)',
  empty: '(empty)',
  yes: 'Yes',
  no: 'No',
  outside: 'Outside the axis range',
  range: (from, to) => `${from} to ${to}`,
  startsAt: value => `starts at ${value}, not 0`,
  logScale: 'logarithmic scale',
  sized: measure => `Size: ${measure}`,
  notOnMap: count => `${plural(count, 'value is', 'values are')} not on the map`,
  undrawnRows: {
    negative: count => `${plural(count, 'negative value', 'negative values')} not shown`,
    'not above zero': count => `${plural(count, 'value', 'values')} ≤ 0 not shown (logarithmic scale)`,
  },
  by: (measure, fields) =>
    fields.length === 0 ? measure : `${measure} by ${formatList(fields.map(labelInSentence), 'en')}`,
  overTime: measure => `${measure} over time`,
  distributionOf: field => `Distribution of ${labelInSentence(field)}`,
  calculated: {
    'share of total': measure => `Share of ${labelInSentence(measure)}`,
    'running total': measure => `Cumulative ${labelInSentence(measure)}`,
    difference: measure => `Change in ${labelInSentence(measure)}`,
    'percent change': measure => `Percent change in ${labelInSentence(measure)}`,
  },
  mapOf: title => `Map of ${labelInSentence(title)}`,
  emptyReasons: {
    rows: 'No rows match.',
    values: 'All values are missing.',
    parts: 'All values are 0.',
    positive: 'No values are above 0.',
  },
  total: 'Total',
  mean: 'Mean',
  median: 'Median',
  target: {
    name: 'Target',
    alone: target => `Target ${target}`,
    reached: (share, target) => `${share} of ${target}`,
    judged: (text, isMet) => `${text}, target ${isMet ? 'met' : 'missed'}`,
  },
  bands: { name: 'Range', good: 'Good', warn: 'Warning', bad: 'Bad', accent: '' },
  others: 'Other values',
  figures: {
    low: 'Lower whisker',
    q1: 'First quartile',
    median: 'Median',
    q3: 'Third quartile',
    high: 'Upper whisker',
  },
  ohlc: {
    open: 'Open',
    high: 'High',
    low: 'Low',
    close: 'Close',
  },
  quarter: (quarter, year) => `Q${quarter} ${year}`,
  fiscalYear: year => `FY ${year}`,
  fiscalQuarter: (quarter, year) => `Q${quarter} FY ${year}`,
  quarterAlone: quarter => `Q${quarter}`,
  inSentence: labelInSentence,
  units: englishUnits,
  aggregates: {
    rows: 'Rows',
    total: field => `Total ${labelInSentence(field)}`,
    average: field => `Average ${labelInSentence(field)}`,
    count: field => `Count of ${labelInSentence(field)}`,
    distinct: field => `Distinct count of ${labelInSentence(field)}`,
    sum: field => `Sum of ${labelInSentence(field)}`,
    mean: field => `Mean of ${labelInSentence(field)}`,
    median: field => `Median of ${labelInSentence(field)}`,
    min: field => `Minimum ${labelInSentence(field)}`,
    max: field => `Maximum ${labelInSentence(field)}`,
    stdev: field => `Standard deviation of ${labelInSentence(field)}`,
    variance: field => `Variance of ${labelInSentence(field)}`,
    q1: field => `First quartile of ${labelInSentence(field)}`,
    q3: field => `Third quartile of ${labelInSentence(field)}`,
    p05: field => `5th percentile of ${labelInSentence(field)}`,
    p95: field => `95th percentile of ${labelInSentence(field)}`,
  },
  filter: {
    all: 'All',
    last: (count, unit, isComplete) => {
      const text = `Last ${plural(count, ...englishPlurals(unit))}`;
      return isComplete ? `${text} (complete)` : text;
    },
    this: unit => `This ${englishUnits[unit]}`,
    range: (from, to) => `${from} to ${to}`,
    least: value => `at least ${value}`,
    below: value => `below ${value}`,
    not: values => `all except ${values}`,
  },
  comparison: {
    with: 'vs',
    nothingBefore: 'No data in the comparison period',
    noDataBefore: day => `No data before ${day}`,
    zeroBefore: zero => `${zero} in the comparison period`,
  },
  notes: {
    notApplied: fields => `Not filtered by ${fields}`,
    rankedUnfiltered: 'Ranked without the filter',
    lastAnswer: time => `Source unreachable. Data as of ${time}`,
    firstFiles: (files, of) => `First ${files} of ${of} files; importing`,
    sampled: percent => `Sample of ${percent} of the rows; importing`,
    filled: {
      zero: 'Missing values shown as 0',
      carry: 'Missing values filled with the last value',
      interpolate: 'Missing values interpolated',
    },
    coarser: unit => `Grouped by ${englishUnits[unit]} to fit`,
    outside: share => `${share} outside the axis range`,
    noValue: share => `${share} missing`,
    rows: (shown, of) => `${shown} of ${of} rows`,
    moreColumns: count => (count === 1 ? '+1 column' : `+${count} columns`),
  },
  about: {
    dashboard: 'Dashboard',
    filters: 'Filters',
    selected: 'Selected',
    zone: 'Time zone',
    dataTime: 'Data through',
    made: 'Created',
  },
  summary: {
    one: (measure, value) => `${measure}: ${value}.`,
    nothing: measure => `${measure}: no data.`,
    count: (measure, count, what) => `${measure} for ${plural(count, ...englishPlurals(what))}`,
    series: count => `, by ${count} series`,
    extremes: (largest, a, smallest, b) => ` Largest: ${largest}, ${a}. Smallest: ${smallest}, ${b}.`,
    trend: (first, last) => ` From ${first} at the start to ${last} at the end.`,
    filtered: ' Filtered by a selection.',
  },
};

const germanUnits = {
  year: ['Jahr', 'Jahre'],
  quarter: ['Quartal', 'Quartale'],
  month: ['Monat', 'Monate'],
  week: ['Woche', 'Wochen'],
  day: ['Tag', 'Tage'],
  hour: ['Stunde', 'Stunden'],
  minute: ['Minute', 'Minuten'],
  fiscalYear: ['Geschäftsjahr', 'Geschäftsjahre'],
  fiscalQuarter: ['Geschäftsquartal', 'Geschäftsquartale'],
  ranges: ['Bereich', 'Bereiche'],
  values: ['Wert', 'Werte'],
} as const;

const de: ChartMessages = {
  other: 'Andere',
  noValue: '(kein Wert)',
  empty: '(leer)',
  yes: 'Ja',
  no: 'Nein',
  outside: 'Außerhalb des Achsenbereichs',
  range: (from, to) => `${from} bis ${to}`,
  startsAt: value => `beginnt bei ${value}, nicht bei 0`,
  logScale: 'logarithmische Skala',
  sized: measure => `Größe: ${measure}`,
  notOnMap: count => `${plural(count, 'Wert ist', 'Werte sind')} nicht auf der Karte`,
  undrawnRows: {
    negative: count => `${plural(count, 'negativer Wert', 'negative Werte')} nicht angezeigt`,
    'not above zero': count => `${plural(count, 'Wert', 'Werte')} ≤ 0 nicht angezeigt (logarithmische Skala)`,
  },
  by: (measure, fields) => (fields.length === 0 ? measure : `${measure} nach ${formatList(fields, 'de')}`),
  overTime: measure => `${measure} im Zeitverlauf`,
  distributionOf: field => `Verteilung: ${field}`,
  calculated: {
    'share of total': measure => `${measure} (Anteil)`,
    'running total': measure => `${measure} (kumuliert)`,
    difference: measure => `${measure} (Veränderung)`,
    'percent change': measure => `${measure} (Veränderung in %)`,
  },
  mapOf: title => `Karte: ${title}`,
  emptyReasons: {
    rows: 'Keine passenden Zeilen.',
    values: 'Alle Werte fehlen.',
    parts: 'Alle Werte sind 0.',
    positive: 'Keine Werte über 0.',
  },
  total: 'Gesamt',
  mean: 'Mittelwert',
  median: 'Median',
  target: {
    name: 'Ziel',
    alone: target => `Ziel ${target}`,
    reached: (share, target) => `${share} von ${target}`,
    judged: (text, isMet) => `${text}, Ziel ${isMet ? 'erreicht' : 'verfehlt'}`,
  },
  bands: { name: 'Bereich', good: 'Gut', warn: 'Warnung', bad: 'Schlecht', accent: '' },
  others: 'Übrige Werte',
  figures: {
    low: 'Untere Antenne',
    q1: 'Erstes Quartil',
    median: 'Median',
    q3: 'Drittes Quartil',
    high: 'Obere Antenne',
  },
  ohlc: {
    open: 'Eröffnung',
    high: 'Hoch',
    low: 'Tief',
    close: 'Schluss',
  },
  quarter: (quarter, year) => `Q${quarter} ${year}`,
  fiscalYear: year => `GJ ${year}`,
  fiscalQuarter: (quarter, year) => `Q${quarter} GJ ${year}`,
  quarterAlone: quarter => `Q${quarter}`,
  inSentence: label => label,
  units: {
    year: 'Jahr',
    quarter: 'Quartal',
    month: 'Monat',
    week: 'Woche',
    day: 'Tag',
    hour: 'Stunde',
    minute: 'Minute',
    fiscalYear: 'Geschäftsjahr',
    fiscalQuarter: 'Geschäftsquartal',
  },
  aggregates: {
    rows: 'Zeilen',
    total: field => `Summe ${field}`,
    average: field => `Durchschnitt ${field}`,
    count: field => `Anzahl ${field}`,
    distinct: field => `Anzahl eindeutiger ${field}`,
    sum: field => `Summe ${field}`,
    mean: field => `Mittelwert ${field}`,
    median: field => `Median ${field}`,
    min: field => `Minimum ${field}`,
    max: field => `Maximum ${field}`,
    stdev: field => `Standardabweichung ${field}`,
    variance: field => `Varianz ${field}`,
    q1: field => `Erstes Quartil ${field}`,
    q3: field => `Drittes Quartil ${field}`,
    p05: field => `5. Perzentil ${field}`,
    p95: field => `95. Perzentil ${field}`,
  },
  filter: {
    all: 'Alle',
    last: (count, unit, isComplete) => {
      const text = `Letzte ${plural(count, germanUnits[unit][0], germanUnits[unit][1])}`;
      return isComplete ? `${text} (abgeschlossen)` : text;
    },
    this: unit => `Aktueller Zeitraum: ${germanUnits[unit][0]}`,
    range: (from, to) => `${from} bis ${to}`,
    least: value => `mindestens ${value}`,
    below: value => `unter ${value}`,
    not: values => `alle außer ${values}`,
  },
  comparison: {
    with: 'vs.',
    nothingBefore: 'Keine Daten im Vergleichszeitraum',
    noDataBefore: day => `Keine Daten vor dem ${day}`,
    zeroBefore: zero => `${zero} im Vergleichszeitraum`,
  },
  notes: {
    notApplied: fields => `Nicht gefiltert nach ${fields}`,
    rankedUnfiltered: 'Rangfolge ohne den Filter',
    lastAnswer: time => `Quelle nicht erreichbar. Datenstand: ${time}`,
    firstFiles: (files, of) => `Erste ${files} von ${of} Dateien; Import läuft`,
    sampled: percent => `Stichprobe: ${percent} der Zeilen; Import läuft`,
    filled: {
      zero: 'Fehlende Werte als 0 dargestellt',
      carry: 'Fehlende Werte mit dem letzten Wert aufgefüllt',
      interpolate: 'Fehlende Werte interpoliert',
    },
    coarser: unit => `Zur besseren Darstellung nach ${germanUnits[unit][0]} gruppiert`,
    outside: share => `${share} außerhalb des Achsenbereichs`,
    noValue: share => `${share} fehlend`,
    rows: (shown, of) => `${shown} von ${of} Zeilen`,
    moreColumns: count => (count === 1 ? '+1 Spalte' : `+${count} Spalten`),
  },
  about: {
    dashboard: 'Dashboard',
    filters: 'Filter',
    selected: 'Ausgewählt',
    zone: 'Zeitzone',
    dataTime: 'Daten bis',
    made: 'Erstellt',
  },
  summary: {
    one: (measure, value) => `${measure}: ${value}.`,
    nothing: measure => `${measure}: keine Daten.`,
    count: (measure, count, what) =>
      `${measure} für ${plural(count, germanUnits[what][0], germanUnits[what][1])}`,
    series: count => `, nach ${count} Reihen`,
    extremes: (largest, a, smallest, b) =>
      ` Größter Wert: ${largest}, ${a}. Kleinster Wert: ${smallest}, ${b}.`,
    trend: (first, last) => ` Von ${first} am Anfang zu ${last} am Ende.`,
    filtered: ' Durch eine Auswahl gefiltert.',
  },
};

const chineseUnits = {
  year: '年',
  quarter: '个季度',
  month: '个月',
  week: '周',
  day: '天',
  hour: '小时',
  minute: '分钟',
  fiscalYear: '个财年',
  fiscalQuarter: '个财季',
  ranges: '个区间',
  values: '个值',
} as const;

const chinesePeriods: Readonly<Record<TimeUnit, string>> = {
  year: '今年',
  quarter: '本季度',
  month: '本月',
  week: '本周',
  day: '今天',
  hour: '本小时',
  minute: '本分钟',
  fiscalYear: '本财年',
  fiscalQuarter: '本财季',
};

const zh: ChartMessages = {
  other: '其他',
  noValue: '（空值）',
  empty: '（空文本）',
  yes: '是',
  no: '否',
  outside: '超出坐标轴范围',
  range: (from, to) => `${from} 至 ${to}`,
  startsAt: value => `从 ${value} 开始，而非 0`,
  logScale: '对数刻度',
  sized: measure => `大小：${measure}`,
  notOnMap: count => `${count} 个值不在地图上`,
  undrawnRows: {
    negative: count => `未显示 ${count} 个负值`,
    'not above zero': count => `未显示 ${count} 个 ≤ 0 的值（对数刻度）`,
  },
  by: (measure, fields) =>
    fields.length === 0 ? measure : spaceLatin(`${measure}（按${formatList(fields, 'zh')}）`),
  overTime: measure => spaceLatin(`${measure}随时间的变化`),
  distributionOf: field => spaceLatin(`${field}的分布`),
  calculated: {
    'share of total': measure => spaceLatin(`${measure}占比`),
    'running total': measure => spaceLatin(`累计${measure}`),
    difference: measure => spaceLatin(`${measure}增量`),
    'percent change': measure => spaceLatin(`${measure}变化率`),
  },
  mapOf: title => `地图：${title}`,
  emptyReasons: {
    rows: '没有匹配的行。',
    values: '所有值均缺失。',
    parts: '所有值均为 0。',
    positive: '没有大于 0 的值。',
  },
  total: '合计',
  mean: '平均值',
  median: '中位数',
  target: {
    name: '目标',
    alone: target => `目标 ${target}`,
    reached: (share, target) => `${target} 的 ${share}`,
    judged: (text, isMet) => `${text}，${isMet ? '已达成' : '未达成'}目标`,
  },
  bands: { name: '区间', good: '良好', warn: '警告', bad: '较差', accent: '' },
  others: '其他值',
  figures: {
    low: '下须',
    q1: '第一四分位数',
    median: '中位数',
    q3: '第三四分位数',
    high: '上须',
  },
  ohlc: {
    open: '开盘',
    high: '最高',
    low: '最低',
    close: '收盘',
  },
  quarter: (quarter, year) => `${year} 年第 ${quarter} 季度`,
  fiscalYear: year => `${year} 财年`,
  fiscalQuarter: (quarter, year) => `${year} 财年第 ${quarter} 季度`,
  quarterAlone: quarter => `第 ${quarter} 季度`,
  inSentence: label => label,
  units: {
    year: '年',
    quarter: '季度',
    month: '月',
    week: '周',
    day: '天',
    hour: '小时',
    minute: '分钟',
    fiscalYear: '财年',
    fiscalQuarter: '财季',
  },
  aggregates: {
    rows: '行数',
    total: field => `${field} 合计`,
    average: field => `${field} 平均值`,
    count: field => `${field} 计数`,
    distinct: field => `${field} 非重复计数`,
    sum: field => `${field} 合计`,
    mean: field => `${field} 平均值`,
    median: field => `${field} 中位数`,
    min: field => `${field} 最小值`,
    max: field => `${field} 最大值`,
    stdev: field => `${field} 标准差`,
    variance: field => `${field} 方差`,
    q1: field => `${field} 第一四分位数`,
    q3: field => `${field} 第三四分位数`,
    p05: field => `${field} 第 5 百分位`,
    p95: field => `${field} 第 95 百分位`,
  },
  filter: {
    all: '全部',
    last: (count, unit, isComplete) =>
      `最近 ${count} ${chineseUnits[unit]}${isComplete ? '（不含当前）' : ''}`,
    this: unit => chinesePeriods[unit],
    range: (from, to) => `${from} 至 ${to}`,
    least: value => `至少 ${value}`,
    below: value => `低于 ${value}`,
    not: values => `除 ${values} 外`,
  },
  comparison: {
    with: '对比',
    nothingBefore: '对比期没有数据',
    noDataBefore: day => `${day} 之前没有数据`,
    zeroBefore: zero => `对比期为 ${zero}`,
  },
  notes: {
    notApplied: fields => `未按 ${fields} 筛选`,
    rankedUnfiltered: '排名未应用筛选器',
    lastAnswer: time => `数据源无法访问。数据截至 ${time}`,
    firstFiles: (files, of) => `前 ${files} 个文件（共 ${of} 个）；正在导入`,
    sampled: percent => `${percent} 行的样本；正在导入`,
    filled: {
      zero: '缺失值显示为 0',
      carry: '缺失值以上一个值填充',
      interpolate: '缺失值已插值',
    },
    coarser: unit => `为便于显示，已按${zh.units[unit]}分组`,
    outside: share => `${share} 超出坐标轴范围`,
    noValue: share => `${share} 缺失`,
    rows: (shown, of) => `${of} 行中的 ${shown} 行`,
    moreColumns: count => `另有 ${count} 列`,
  },
  about: {
    dashboard: '仪表板',
    filters: '筛选',
    selected: '已选择',
    zone: '时区',
    dataTime: '数据截至',
    made: '创建时间',
  },
  summary: {
    one: (measure, value) => `${measure}：${value}。`,
    nothing: measure => `${measure}：没有数据。`,
    count: (measure, count, what) => `${measure}，${count} ${chineseUnits[what]}`,
    series: count => `，${count} 个系列`,
    extremes: (largest, a, smallest, b) => `。最大：${largest}，${a}。最小：${smallest}，${b}。`,
    trend: (first, last) => `从开始的 ${first} 到最后的 ${last}。`,
    filtered: '已按选择筛选。',
  },
};

/** The texts of a locale's language; English for other languages. */
export function chartMessagesIn(locale: string): ChartMessages {
  return localize({ en, de, zh }, locale);
}
