import type { Aggregate, TileKind, TimeUnit } from '@belvedere/document';
import type { TimePart } from '@belvedere/model';
import type { ShowAs } from '../tiles/table-calculations.ts';

/*
 * The words of phrases in English, German and Chinese. `_` joins the words of one term. Words are without
 * accents: `fur` is `für`.
 */

const terms = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map(term => term.replaceAll('_', ' '));

/** Words that a phrase is read without. */
export const fillers = terms(
  `the a an of and or to please show me what which is are was were how much many with as values numbers all chart graph plot diagram
  der die das den dem des ein eine einen und oder zeige zeig mir was welche welcher ist sind war wie viel viele mit als aller alle diagramm
  的 了 请 显示 看 给我 我 是 有 多少 哪些 什么 和 与 及 图 图表 所有`,
);

/** Words before the field that a phrase groups by. */
export const groupingWords = terms(
  `by per each for_each for_every grouped_by split_by broken_down_by across
  nach je pro per gruppiert_nach aufgeteilt_nach
  按 按照 每 每个 各 各个 分`,
);

/** Words before a value or a period. */
export const containmentWords = terms(
  `in for on at during within from where only
  im in fur bei aus vom am wahrend nur
  在 于 中 内`,
);

/** Words before a value whose rows are left out. */
export const exclusionWords = terms(
  'not without except excluding but_not ohne nicht ausser kein keine 除了 除 不含 不包括 排除',
);

export const comparisonWords = terms(
  'vs versus against compared_to compared_with gegen verglichen_mit 对比 比 对',
);

export const highestWords = terms(
  'top best best_selling bestselling top_selling ' +
    'highest largest biggest most beste besten hochste hochsten ' +
    'grosste grossten meiste meisten meistverkaufte meistverkauften 畅销 前 最高 最大 最多 最好',
);
export const lowestWords = terms(
  'bottom worst lowest smallest least fewest flop schlechteste schlechtesten niedrigste ' +
    'niedrigsten kleinste kleinsten wenigste wenigsten 后 最低 最小 最少 最差',
);

export const trendWords = terms(
  'over_time trend timeline development zeitverlauf im_zeitverlauf verlauf entwicklung trends 趋势 走势 随时间 变化',
);

export const unitWords: Readonly<Partial<Record<TimeUnit, readonly string[]>>> = {
  day: terms('day days tag tage tagen 天 日'),
  week: terms('week weeks woche wochen 周 星期'),
  month: terms('month months monat monate monaten 月 个月'),
  quarter: terms('quarter quarters quartal quartale quartalen 季度 季'),
  year: terms('year years jahr jahre jahren 年 年度'),
  hour: terms('hour hours stunde stunden 小时'),
};

/** Adverbs that group by a unit. */
export const unitAdverbs: Readonly<Partial<Record<TimeUnit, readonly string[]>>> = {
  day: terms('daily taglich 每日 每天 逐日'),
  week: terms('weekly wochentlich 每周'),
  month: terms('monthly monatlich 每月 逐月 月度'),
  quarter: terms('quarterly vierteljahrlich quartalsweise 每季度 每季'),
  year: terms('yearly annual annually jahrlich 每年 逐年'),
  hour: terms('hourly stundlich 每小时'),
};

/** Parts of a time: its day of the week in any week, its month in any year. */
export const partWords: Readonly<Record<TimePart, readonly string[]>> = {
  weekday: terms(
    `weekday weekdays day_of_week day_of_the_week days_of_the_week wochentag wochentage wochentagen 星期几 周几`,
  ),
  month: terms(
    `month_of_year month_of_the_year calendar_month kalendermonat kalendermonaten monat_im_jahr monat_des_jahres 月份`,
  ),
  hour: terms('hour_of_day hour_of_the_day time_of_day uhrzeit tageszeit stunde_des_tages 时段'),
};

/** Table calculations. */
export const calculationWords: Readonly<Record<ShowAs, readonly string[]>> = {
  'share of total': terms(
    `share share_of shares_of proportion_of percentage percentage_of percent percent_of share_of_total
    anteil anteil_am anteil_der anteile prozent prozentualer_anteil 占比 份额 百分比`,
  ),
  'running total': terms(
    'cumulative cumulated running_total running accumulated kumuliert kumulierte kumulierter laufende_summe 累计 累积',
  ),
  'percent change': terms(
    `percent_change percentage_change percent_change_in percentage_change_in percent_growth percentage_growth
    growth_rate growth_rate_of wachstumsrate prozentuale_veranderung prozentuales_wachstum 增长率 变化率`,
  ),
  difference: terms('growth change_in increase_in wachstum zuwachs veranderung 增长 增长额'),
};

/** Words before a count of units or one unit: the latest of them. */
export const lastWords = terms(
  `last past latest recent most_recent the_last
  letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes
  最近 过去 近 上 上个 上一 上一个 最后`,
);
export const previousWords = terms(
  'previous prior preceding vorige vorigen voriger voriges vorherige vorherigen vorheriger vorheriges 前一 前一个',
);
export const currentWords = terms(
  'this current diese dieser dieses diesem diesen aktuelle aktuellen aktueller aktuelles 本 这 这个 今 当前',
);

/** Whole periods in one word. */
export const relativeDays: readonly (readonly [readonly string[], TimeUnit, 'last' | 'this'])[] = [
  [terms('today heute 今天 今日'), 'day', 'this'],
  [terms('yesterday gestern 昨天 昨日'), 'day', 'last'],
  [terms('ytd year_to_date dieses_jahr 今年 本年'), 'year', 'this'],
  [terms('去年 vorjahr'), 'year', 'last'],
];

export const sinceWords = terms('since starting seit ab 自 自从 从');
export const afterWords = terms('after nach');
export const beforeWords = terms('before until till vor bis');
/** After the time that they refer to. */
export const sinceSuffixes = terms('以来 起 之后 以后');
export const beforeSuffixes = terms('之前 以前');
export const rangeBeginnings = terms('from between von zwischen 从 自');
export const rangeMiddles = terms('to until till through and - bis und 到 至');

/** The first word of each term follows a number: `1st quarter`. */
export const ordinals: readonly (readonly string[])[] = [
  terms('1st first erstes ersten erste 第一 一'),
  terms('2nd second zweites zweiten zweite 第二 二'),
  terms('3rd third drittes dritten dritte 第三 三'),
  terms('4th fourth viertes vierten vierte 第四 四'),
];

export const monthWords: readonly (readonly string[])[] = [
  terms('january jan januar janner 一月'),
  terms('february feb februar 二月'),
  terms('march mar marz 三月'),
  terms('april apr 四月'),
  terms('may mai 五月'),
  terms('june jun juni 六月'),
  terms('july jul juli 七月'),
  terms('august aug 八月'),
  terms('september sep sept 九月'),
  terms('october oct oktober okt 十月'),
  terms('november nov 十一月'),
  terms('december dec dezember dez 十二月'),
];

export const aggregateWords: Readonly<Partial<Record<Aggregate, readonly string[]>>> = {
  mean: terms(
    'average avg mean durchschnitt durchschnittlich durchschnittliche durchschnittlicher mittlere mittlerer 平均 平均值',
  ),
  median: terms('median 中位数'),
  sum: terms('total sum overall gesamt gesamte gesamter summe 总 总计 合计 总共'),
  min: terms('minimum min minimal minimale 最小值'),
  max: terms('maximum max maximal maximale 最大值'),
  distinct: terms(
    'number_of count_of distinct unique different count number anzahl anzahl_der verschiedene unterschiedliche zahl_der 数量 个数 人数 数 不同',
  ),
};

/** Words for how the values of a field are spread. */
export const distributionWords = terms(
  `distribution_of distribution spread_of histogram_of histogram frequency_of verteilung_von verteilung_der
  verteilung_des verteilung histogramm haufigkeit_von 分布 分布图 直方图`,
);

/** Words that name a kind of chart. */
export const kindWords: Readonly<Partial<Record<TileKind, readonly string[]>>> = {
  bar: terms('bar bars bar_chart balken balkendiagramm 柱状图 条形图'),
  line: terms('line line_chart linie liniendiagramm 折线图 线图'),
  area: terms('area_chart flachendiagramm 面积图'),
  pie: terms('pie pie_chart kreisdiagramm tortendiagramm 饼图'),
  donut: terms('donut doughnut donut_chart ringdiagramm 环形图'),
  table: terms('table tabelle 表格'),
  heatmap: terms('heatmap heat_map 热力图 热图'),
  treemap: terms('treemap tree_map baumkarte 树图'),
  map: terms('map karte landkarte auf_der_karte on_a_map 地图'),
  pivot: terms('pivot pivot_table pivottabelle 透视表'),
};

/** Words of one thing in the three languages, for names in another language than the phrase. */
export const synonyms: readonly (readonly string[])[] = [
  'revenue sales turnover umsatz umsatze erlos erlose 收入 销售额 营收 营业额 销售',
  'country nation land 国家 国',
  'city town stadt 城市 市',
  'state province bundesland 州 省 省份',
  'region gebiet 地区 区域',
  'customer client kunde 客户 顾客',
  'product article item produkt artikel 产品 商品',
  'category kategorie 类别 分类 品类',
  'order bestellung auftrag 订单',
  'invoice rechnung 发票',
  'value wert 金额',
  'stock inventory lagerbestand lager 库存',
  'supplier vendor lieferant 供应商',
  'employee staff mitarbeiter 员工 雇员',
  'quantity amount menge 数量',
  'price preis 价格 单价',
  'cost expense kosten 成本 费用',
  'profit gewinn 利润',
  'discount rabatt 折扣',
  'freight shipping fracht 运费',
  'shipper versender spediteur 承运商',
  'delay verspatung verzogerung 延误',
  'carrier airline fluggesellschaft 航空公司',
  'flight flug 航班',
  'airport flughafen 机场',
  'origin abflug herkunft 出发地',
  'destination dest ziel 目的地',
  'departure dep abflug 出发 起飞',
  'arrival arr ankunft 到达',
  'distance entfernung distanz strecke 距离',
  'duration dauer 时长',
  'date datum 日期',
  'name bezeichnung 名称 姓名',
  'status zustand 状态',
  'type kind art typ 类型',
  'genre 流派 风格',
  'artist kunstler 艺术家 歌手',
  'track song titel 歌曲 曲目',
  'magnitude mag starke 震级',
  'temperature temp temperatur 温度',
  'humidity humid luftfeuchtigkeit 湿度',
  'pressure luftdruck 气压',
  'elevation elev altitude hohe 海拔',
  'weekday wochentag 星期几',
  'year jahr 年份',
  'rows records rows zeilen datensatze 行数 记录',
  'age alter 年龄',
  'gender sex geschlecht 性别',
  'size grosse 尺寸 大小',
  'weight gewicht 重量',
  'color colour farbe 颜色',
  'brand marke 品牌',
  'branch filiale 分店 门店',
  'rating score bewertung 评分',
  'payment zahlung zahlungsart zahlungsmethode 支付 付款 支付方式',
  'income einkommen einkunfte',
  'total summe gesamtbetrag gesamtsumme 总额',
  'line linie 线',
  'department abteilung 部门',
  'company firma unternehmen 公司',
  'population einwohner bevolkerung 人口',
  'neighborhood neighbourhood stadtteil 社区',
  'race ethnicity ethnie rasse 种族',
  'problem 问题',
  'district precinct bezirk 辖区',
  'language sprache 语言',
  'path pfad 路径',
  'demand nachfrage 需求 需求量',
  'volcano vulkan 火山',
  'earthquake erdbeben 地震',
  'event ereignis 事件',
].map(terms);

/** Words of labels that tell little: a phrase may leave them out. */
export const weakLabelWords = terms(
  'name total average avg mean sum number of title description id no code the per 名称 平均 总 gesamt summe durchschnitt',
);
