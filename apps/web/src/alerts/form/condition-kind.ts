import type { AlertFile } from '@belvedere/document';

export const kinds = ['above', 'below', 'outside', 'change', 'unusual', 'missing'] as const;
export type ConditionKind = (typeof kinds)[number];

export function kindOf(when: AlertFile['when']): ConditionKind {
  return kinds.find(kind => when[kind] !== undefined) ?? 'above';
}
