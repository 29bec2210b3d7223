import type { ReactNode } from 'react';
import { CalendarContext } from '../dashboard/calendar.ts';
import type { DashboardEditor } from './dashboard-editor.ts';
import { useEditor } from './editing.ts';

/** What is inside cuts time as the dashboard that is edited does. */
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
