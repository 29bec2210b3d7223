import type { DashboardContext } from './dashboard-context.ts';
export async function drawThumbnail(_: DashboardContext, __: 'light' | 'dark'): Promise<string> {
  return '<svg xmlns="http://www.w3.org/2000/svg"/>';
}
