export * from './client.ts';
export * from './contract.ts';
export * from './dense-cells.ts';
export { endpoint, type Endpoint } from './endpoint.ts';
export * from './frames.ts';
export { ApiError, type Problem } from './problem.ts';
export * from './state.ts';
export * from './upload-file.ts';
export * from './arrow.ts';
