export * from './condition.ts';
export * from './describe-condition.ts';
export * from './explain.ts';
export * from './judge.ts';
export * from './next-state.ts';
export * from './rehearse.ts';
export * from './rule.ts';
export * from './series.ts';
