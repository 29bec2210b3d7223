import { isDay, months, weekdays, type Dialect } from '../../dialect.ts';
import { roundedAwayFromZero } from '../rounding.ts';
import type { MysqlText } from './mysql-text.ts';

/** Functions that MySQL names or computes differently. */
export function mysqlFunctions({ literal }: MysqlText): Dialect['functions'] {
  return {
    avg: ([value]) => `avg(cast(${value} as double))`,
    stddev: ([value]) => `stddev_samp(cast(${value} as double))`,
    stddev_pop: ([value]) => `stddev_pop(cast(${value} as double))`,
    variance: ([value]) => `var_samp(cast(${value} as double))`,
    var_pop: ([value]) => `var_pop(cast(${value} as double))`,
    round: ([value, digits]) =>
      roundedAwayFromZero(`cast(${value} as double)`, digits, 'pow(10, ', shifted => `sign(${shifted})`),
    floor: ([value]) => `floor(cast(${value} as double))`,
    ceil: ([value]) => `ceil(cast(${value} as double))`,
    trunc: ([value]) => `truncate(cast(${value} as double), 0)`,
    power: ([value, exponent]) => `pow(${value}, ${exponent})`,
    cbrt: ([value]) => `(sign(${value}) * pow(abs(${value}), 1e0 / 3))`,
    greatest: args =>
      args.reduce(
        (sofar, arg) =>
          `case when ${sofar} is null then ${arg} when ${arg} is null then ${sofar} else greatest(${sofar}, ${arg}) end`,
      ),
    least: args =>
      args.reduce(
        (sofar, arg) =>
          `case when ${sofar} is null then ${arg} when ${arg} is null then ${sofar} else least(${sofar}, ${arg}) end`,
      ),
    pi: () => '3.141592653589793e0',
    length: ([value]) => `char_length(${value})`,
    position: ([value, part]) => `locate(${part}, ${value})`,
    concat: args => `concat(${args.map(arg => `coalesce(${arg}, '')`).join(', ')})`,
    repeat: ([value, times]) => `repeat(${value}, least(greatest(${times}, 0), 10000))`,
    split_part: ([value, separator, place]) =>
      `case when ${place} > 1 + (char_length(${value}) - char_length(replace(${value}, ${separator}, ''))) / char_length(${separator}) then '' else substring_index(substring_index(${value}, ${separator}, ${place}), ${separator}, -1) end`,
    // MySQL's own result is unsigned, which makes products with negative numbers fail.
    year: ([time]) => `cast(year(${time}) as signed)`,
    week: ([time]) => `week(${time}, 3)`,
    isoyear: ([time]) => `cast(floor(yearweek(${time}, 3) / 100) as signed)`,
    isodow: ([time]) => `(weekday(${time}) + 1)`,
    make_date: ([year, month, day]) =>
      `case when ${isDay(`(${year})`, `(${month})`, `(${day})`)} then cast(makedate(${year}, 1) + interval (${month} - 1) month + interval (${day} - 1) day as date) end`,
    weekday_name: ([time]) => `elt(weekday(${time}) + 1, ${weekdays.map(literal).join(', ')})`,
    month_name: ([time]) => `elt(month(${time}), ${months.map(literal).join(', ')})`,
    epoch: ([time]) => `floor(timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', ${time}) / 1000000)`,
    from_epoch: ([seconds]) => `(timestamp'1970-01-01 00:00:00' + interval floor(${seconds}) second)`,
  };
}
