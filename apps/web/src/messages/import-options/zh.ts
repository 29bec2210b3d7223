import { count } from '../chinese-count.ts';
import type { ImportOptionsMessages } from './en.ts';

export const importOptionsZh: ImportOptionsMessages = {
  importOptions: {
    progress: (percent, file) =>
      `正在导入，${percent}%${file ? `（第 ${count(file.number)} 个文件，共 ${count(file.of)} 个）` : ''}`,
    stop: '取消导入',
    again: '重新导入',
    stopped: '导入已取消。之前导入的数据仍然可用。',
    title: '导入选项',
    open: '导入选项',
    guess: '自动检测',
    guessed: type => `自动检测：${type}`,
    skip: '标题行之前的行数',
    decimal: '数字格式',
    dates: '日期顺序',
    nulls: '视为空值的文本',
    columns: '列类型',
    nested: '嵌套对象',
    nestings: {
      columns: '单独的列',
      text: 'JSON 文本',
    },
    save: '保存并重新导入',
    checking: '正在检查…',
    saveUnchecked: '不检查直接保存',
    saveAnyway: '仍然保存',
    loss: {
      rows: (_, count) => `使用这些选项将多拒绝 ${count} 行。`,
      values: (_, count, column) => `“${column}”中的 ${count} 个值将变为空值。`,
    },
    orders: {
      'day first': '日在前',
      'month first': '月在前',
      'year first': '年在前',
    },
    hint: table => `保存在工作区的 “tables/${table}.yaml” 中。其他设置仍自动检测。`,
    nearly: (column, type, fits, all) =>
      `“${column}” 的 ${all} 个值中有 ${fits} 个是${type}。由于以下值，该列保留为文本：`,
    decide: (type, misfits) => `作为${type}导入，忽略 ${count(misfits)} 个值`,
    misfit: ({ value, count: cells = 1, file, line, sheet, cell }) =>
      `“${value}”${cells > 1 ? ` ${count(cells)} 次` : ''}${
        file
          ? `（${cells > 1 ? '首次：' : ''}${file}${line === undefined ? '' : `，第 ${count(line)} 行`}` +
            `${sheet === undefined ? '' : `，工作表 “${sheet}”`}${cell === undefined ? '' : `，单元格 ${cell}`}）`
          : ''
      }`,
    questions: {
      'date order': (columns, example) =>
        `“${columns}” 中的日期有歧义（例如 ${example}）。在您选择顺序之前，它们保留为文本：`,
      'decimal mark': (columns, example) =>
        `“${columns}” 中的数字有歧义（例如 ${example}）。在您选择数字格式之前，它们保留为文本：`,
    },
  },
};
