export { checkWorkspace, rewriteWorkspace, newDashboard, type WorkspaceCheck } from './check-workspace.ts';
export { startServer, type RunningServer, type ServerOptions } from './server.ts';
export { ProblemError } from './problems.ts';
export { renderDashboard, type RenderWish } from './render-dashboard.ts';
export { findPlace, type OpenPlace } from './workspace/find-place.ts';
export { HeldFolderError } from './workspace/hold-folder.ts';
