import { BelvedereDashboard } from './belvedere-dashboard.ts';

export { BelvedereDashboard, type DashboardEvents } from './belvedere-dashboard.ts';
export {
  hostMessage,
  sent,
  type Background,
  type Condition,
  type Filters,
  type FrameMessage,
  type HostMessage,
  type Selections,
  type Theme,
} from './messages.ts';

/** Defines the element, once on a page. */
export function defineBelvedereDashboard(): void {
  if (!customElements.get('belvedere-dashboard'))
    customElements.define('belvedere-dashboard', BelvedereDashboard);
}
