import { expect, test } from 'vitest';
import { calendarOrder, inWeekOrder } from './calendar-names.ts';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

test.each([
  [['Sun', 'Fri', 'Mon', 'Wed', 'Tue', 'Thu', 'Sat'], days],
  [
    ['FRIDAY', 'monday', 'Tuesday', 'wednesday'],
    ['monday', 'Tuesday', 'wednesday', 'FRIDAY'],
  ],
  [
    ['Mai', 'Januar', 'März', 'Dez.'],
    ['Januar', 'März', 'Mai', 'Dez.'],
  ],
  [
    ['周三', '周一', '周日', '周二'],
    ['周一', '周二', '周三', '周日'],
  ],
  // Names of people, and other values among weekdays.
  [['May', 'June', 'April'], undefined],
  [[...days, 'Holiday'], undefined],
  [['Mon', 'Jan', 'Feb', 'Mar'], undefined],
])('names of weekdays and months are in the order of the calendar: %j', (values, expected) => {
  expect(calendarOrder(values)).toEqual(expected);
});

test.each([
  [days, 6, ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']],
  [days, 0, days],
  [['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], 6, ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']],
  [['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], 2, ['Wed', 'Thu', 'Fri', 'Mon', 'Tue']],
  // An author's own order.
  [['Sat', 'Sun', 'Mon', 'Tue', 'Wed'], 6, ['Sat', 'Sun', 'Mon', 'Tue', 'Wed']],
  [['S', 'M', 'L', 'XL'], 6, ['S', 'M', 'L', 'XL']],
  [[3, 1, 2, 4], 6, [3, 1, 2, 4]],
])('%j in weeks that begin on day %i', (order, weekStart, expected) => {
  expect(inWeekOrder<string | number>(order, weekStart)).toEqual(expected);
});
