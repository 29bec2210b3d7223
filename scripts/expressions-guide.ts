// Writes docs/guide/expressions.md from the table of functions: `node scripts/expressions-guide.ts`. A test
// keeps the two the same.
import { functionGroups, functions, type FunctionGroup } from '@belvedere/model';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export const guideFile = path.resolve(import.meta.dirname, '..', 'docs', 'guide', 'expressions.md');

const titles: Readonly<Record<FunctionGroup, string>> = {
  aggregate: 'Aggregates',
  number: 'Numbers',
  text: 'Text',
  condition: 'Conditions and null',
  time: 'Dates and times',
};

const introduction = `# Expressions

After this page you can write dimensions, measures and conditions, and look up every function.

Models use SQL's expression syntax, limited to what means the same on DuckDB, PostgreSQL, MySQL, MariaDB and ClickHouse. Belvedere checks an expression against the table when it reads the file. An error has a position and the nearest valid name.

This page is generated from the program's table of functions. Tests run every example on every engine.

## Syntax

| | |
| --- | --- |
| columns | \`arr_delay\`, \`"Date of birth"\`, of a join \`airport.city\` |
| values | \`12\`, \`1.5\`, \`'text'\` (double a quote inside), \`true\`, \`false\`, \`null\` |
| arithmetic | \`+ - * / %\` |
| comparison | \`= <> < <= > >=\`, \`between a and b\`, \`in (a, b)\`, \`like 'a%'\`, \`is null\`, \`is not null\` |
| logic | \`and\`, \`or\`, \`not\` |
| concatenation | \`a \\|\\| b\` |
| conditions | \`case when … then … else … end\`, \`case x when 1 then … end\` |
| casts | \`cast(x as integer)\`, \`x::date\`; types: integer, bigint, double, decimal, text, date, timestamp, boolean |
| parts of a time | \`extract(hour from t)\` is \`hour(t)\` |
| filtered aggregates | \`sum(x) filter (where …)\` |

## Semantics

- **Division is exact**: \`1 / 2\` is 0.5. Division by 0 is null.
- **Whole numbers and decimals are exact**, also beyond a double's precision. An overflow is an error, never a wrong number.
- **Null** (the tables below call it *nothing*), **empty text** and a text such as \`NULL\` are different. NaN and infinity count as null.
- **Texts are equal if their bytes are**: case, accents and trailing blanks count. They sort by code point. Null sorts last, ascending and descending.
- **A cast never fails**: a value that does not fit is null. \`cast('2023-02-29' as date)\` is null. Rounding to whole numbers rounds halves away from zero.
- **Weeks** begin on Monday, numbered as in ISO 8601.
- **Instants** (timestamps with a zone) are read in the dashboard's time zone, in every function and comparison.
- \`count(distinct x)\` is exact.

ClickHouse before 2021 has no days before 1970 or after 2105, and needs literal texts for \`replace\` and \`split_part\`.
`;

export function expressionsGuide(): string {
  const sections = functionGroups.map(group => {
    const rows = Object.values(functions)
      .filter(spec => spec.group === group)
      .map(spec => {
        const examples = spec.examples
          .slice(0, 2)
          .map(
            ([text, value]) =>
              `\`${cell(text)}\` is ${value === null ? 'null' : `\`${cell(typeof value === 'string' ? `'${value}'` : String(value))}\``}`,
          );
        return `| \`${cell(spec.call)}\` | ${spec.says} | ${examples.join('<br>')} |`;
      });
    const note =
      group === 'aggregate' ? '\nThe examples use a column `n` with the values 1, 2, 3, 4 and null.\n' : '';
    return `## ${titles[group]}\n${note}\n| function | returns | example |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return [introduction, ...sections].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (process.argv[1] === import.meta.filename) writeFileSync(guideFile, expressionsGuide());
