import { calendarOf, type Calendar } from '@belvedere/document';
import { createContext, useContext } from 'react';

/** The calendar by which charts divide time into weeks and fiscal years. */
export const CalendarContext = createContext<Calendar>(calendarOf({}));

export function useCalendar(): Calendar {
  return useContext(CalendarContext);
}
