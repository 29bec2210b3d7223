import type { ExploreMessages } from './en.ts';

export const exploreZh: ExploreMessages = {
  explore: {
    fields: '字段',
    staleLink: '此链接的一部分无法读取，已被忽略。',
    title: model => `探索 ${model}`,
    save: '保存到仪表板',
    fresh: '新建仪表板',
    to: '仪表板',
    name: '名称',
    find: '搜索字段',
    chart: '图表',
    rows: '行',
    clear: '清除选择',
    put: field => `将 ${field} 添加到图表`,
    about: (type, distinct) => `${type}，${distinct} 个值`,
    empty: share => `${share} 空值`,
    more: count => `还有 ${count} 个未显示`,
  },
};
