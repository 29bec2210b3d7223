import type { ReactNode } from 'react';
import { CalendarContext } from '../../dashboard/chart/calendar.ts';
import type { DashboardEditor } from '../state/dashboard-editor.ts';
import { useEditor } from '../state/editing.ts';

/** Provides the calendar of the edited dashboard to its children. */
export function EditedCalendar({
  editor,
  children,
}: {
  readonly editor: DashboardEditor;
  readonly children: ReactNode;
}) {
  const calendar = useEditor(editor, state => state.shown.dashboard.calendar);
  return <CalendarContext value={calendar}>{children}</CalendarContext>;
}
