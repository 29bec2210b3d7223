import type { DownloadsMessages } from './en.ts';

export const downloadsZh: DownloadsMessages = {
  downloads: {
    making: format => `正在生成 ${format}…`,
    coming: (format, size) => `${format}：已下载 ${size}`,
    stop: '取消',
    close: '关闭',
    copied: '已复制',
    removed: title => `“${title}”已移到回收站`,
    undo: '撤销',
    notCopied: '无法复制。请允许此页面访问剪贴板，或改用导出。',
  },
  exporting: {
    title: format => `导出 ${format}`,
    rows: count => `${count} 行`,
    pdf: {
      hint: _ => '表格只显示图块中放得下的行。',
      all: most => `在后续页面显示全部行，每个表格最多 ${most} 行`,
    },
    xlsx: {
      hint: most => `工作簿包含每个表格的前 ${most} 行。`,
      all: _ => '全部行',
    },
    ownLimit: most => `每个表格最多可导出 ${most} 行。文件中会注明。`,
    sheetLimit: most => `一个工作表最多 ${most} 行。CSV 和 Parquet 可容纳更多。`,
    start: '导出',
  },
  formats: {
    png: 'PNG 图片',
    svg: 'SVG 图片',
    pdf: 'PDF',
    csv: 'CSV',
    xlsx: 'Excel (XLSX)',
    parquet: 'Parquet',
    html: '离线 HTML',
  },
};
