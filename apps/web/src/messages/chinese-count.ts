/** Writes a whole number as Chinese does: `12,345`. */
export const count = (value: number) => value.toLocaleString('zh-CN');
