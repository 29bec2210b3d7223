import type { TextMessages } from './en.ts';

export const textZh: TextMessages = {
  history: {
    was: '所选版本',
    title: '历史记录',
    open: '历史记录',
    saved: '已保存',
    disk: '在磁盘上更改',
    current: '当前',
    compare: '从此版本到当前草稿的更改',
    restore: '恢复此版本',
    same: '没有差异',
    none: '还没有已保存的版本。',
    more: '加载更多',
  },
  text: {
    label: '仪表板 YAML',
    line: (line, column) => `第 ${line} 行，第 ${column} 列`,
    fix: word => `改为 ${word}`,
    problems: count => `${count} 个错误`,
    open: '打开 YAML',
    invalid: 'YAML 有错误。',
    noValidVersion: '尚无有效版本',
    noValidVersionHint: '修复 YAML 中的错误后，内容将显示在此处。只有有效版本才会被使用。',
    leave: '按 Esc 再按 Tab 离开编辑器。',
  },
  conflict: {
    title: '更改冲突',
    text: '您编辑时该文件已被更改。请为每个冲突选择一个版本；两者都保留在历史记录中。',
    mine: '您的版本',
    theirs: '其他版本',
    gone: '已移除',
    done: '应用',
    whole: '整个文档（有错误的 YAML 无法逐项合并）',
    compare: '从其他版本到您的版本的更改',
    at: path => `位于 ${path}`,
  },
};
