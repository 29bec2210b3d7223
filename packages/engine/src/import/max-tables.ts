import { ImportError } from './report.ts';

/** Each table takes a tenth of a second, however small it is: more of one file would end at the time limit. */
const maxTables = 1000;

/** @param what the name of what was counted, in the plural. @throws ImportError beyond the most tables of a file */
export function refuseTooMany(file: string, count: number, what: string): void {
  if (count <= maxTables) return;
  const [many, limit] = [count, maxTables].map(number => number.toLocaleString('en'));
  throw new ImportError(
    file,
    undefined,
    `This file has ${many} ${what}; the maximum is ${limit}. Divide it, or put those that you need into a file of their own.`,
  );
}
