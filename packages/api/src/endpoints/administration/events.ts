import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

/** The ID of a browser window, which the window generates itself. */
const WindowId = z.string().regex(/^[0-9a-f]{24}$/);

/**
 * A window with an open document (a dashboard by its ID, a model as `model:NAME`) and the tile or entry
 * selected in it.
 */
export const PresentWindow = z.object({
  window: WindowId,
  document: z.string(),
  position: z.string().optional(),
  isEditing: z.boolean(),
  /** Whose window it is, in a workspace with accounts. */
  user: z.object({ id: z.string(), name: z.string() }).optional(),
});
export type PresentWindow = z.infer<typeof PresentWindow>;

/** Who has what open, and what changes. */
export const eventEndpoints = {
  putPresence: endpoint({
    ...routes.putPresence,
    access: { on: 'self' },
    summary:
      'Report which document a window has open, if any, and what is selected in it; returns who else has it open',
    params: z.object({ window: WindowId }),
    body: z.strictObject({
      document: z.string().max(320).optional(),
      position: z.string().max(200).optional(),
      isEditing: z.boolean().optional(),
    }),
    response: z.object({ windows: z.array(PresentWindow) }),
  }),
  getEvents: endpoint({
    ...routes.getEvents,
    access: { on: 'self' },
    summary: 'Stream the workspace’s change events',
    query: z.object({ /** The window whose presence ends with the stream. */ window: WindowId.optional() }),
    response: 'text/event-stream',
  }),
} as const;

/** An event that the server sends on `GET /api/v1/events`. */
export type ServerEvent =
  | { readonly kind: 'workspace'; readonly revision: number }
  /** What the user may see or do has changed. */
  | { readonly kind: 'access' }
  /** The draft of a document (a dashboard's ID, or `model:NAME`) changed or, with version 0, was deleted. */
  | { readonly kind: 'draft'; readonly document: string; readonly version: number }
  /** All windows that have a document open, in the order of opening. */
  | { readonly kind: 'presence'; readonly document: string; readonly windows: readonly PresentWindow[] }
  /** The comments of a dashboard changed. */
  | { readonly kind: 'comments'; readonly dashboard: string }
  /** The state of an alert changed, or the alert itself. */
  | { readonly kind: 'alert'; readonly id: string }
  /** The event notes of a dashboard changed. */
  | { readonly kind: 'notes'; readonly dashboard: string }
  | { readonly kind: 'importing'; readonly table: string; readonly percent: number };
