export * from './brush-axis.ts';
export * from './index/brush-index.ts';
export * from './index/can-index.ts';
export * from './index/index-store.ts';
export * from './index/sparse-index.ts';
export * from './plan-update.ts';
export * from './selected-slots.ts';
export * from './selections.ts';
