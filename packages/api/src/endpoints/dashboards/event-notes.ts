import { CalendarTime } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';
import { dashboardParams } from './dashboard-params.ts';

/**
 * An event note for all viewers of a dashboard: on a day, at a moment or, with `below`, from one moment until
 * before another.
 */
export const NewEventNote = z
  .strictObject({
    from: CalendarTime,
    below: CalendarTime.optional(),
    text: z.string().trim().min(1).max(300),
  })
  .refine(({ from, below }) => below === undefined || from < below, {
    error: 'The end must be after the start.',
    path: ['below'],
  });
export type NewEventNote = z.infer<typeof NewEventNote>;

export const EventNote = z
  .object({
    id: z.number().int(),
    from: z.string(),
    below: z.string().optional(),
    text: z.string(),
    /** When it was last changed; also its version for `If-Match`. */
    at: z.string(),
    /** The name of the user who wrote it last; absent if unknown, and for guests. */
    author: z.string().optional(),
  })
  .meta({ id: 'EventNote' });
export type EventNote = z.infer<typeof EventNote>;

const noteParams = dashboardParams.extend({ note: z.coerce.number().int() });

/** Event notes of dashboards. */
export const eventNoteEndpoints = {
  addEventNote: endpoint({
    ...routes.addEventNote,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Add an event note for a day or a time range, visible to everyone who sees the dashboard',
    params: dashboardParams,
    body: NewEventNote,
    response: EventNote,
  }),
  updateEventNote: endpoint({
    ...routes.updateEventNote,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Change an event note',
    params: noteParams,
    replaces: 'record',
    body: NewEventNote,
    response: EventNote,
  }),
  removeEventNote: endpoint({
    ...routes.removeEventNote,
    access: { on: 'dashboard', level: 'edit' },
    summary: 'Delete an event note',
    params: noteParams,
    response: z.object({}),
  }),
} as const;
