import { RangeCalendar } from './DateRange.tsx';
import { MenuContent } from './Menu.tsx';
import { PopoverContent } from './Popover.tsx';

/** Loads the code of menus, popovers and calendars: they still open when the server does not respond. */
export function loadOverlays(): void {
  MenuContent.ahead();
  PopoverContent.ahead();
  RangeCalendar.ahead();
}
