// Writes docs/guide/expressions.md from the table of functions: `node scripts/expressions-guide.ts`. A test keeps the two the same.
import { functionGroups, functions, type FunctionGroup } from '@belvedere/model';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export const guideFile = path.resolve(import.meta.dirname, '..', 'docs', 'guide', 'expressions.md');

const titles: Readonly<Record<FunctionGroup, string>> = {
  aggregate: 'Aggregates: many rows, one value',
  number: 'Numbers',
  text: 'Texts',
  condition: 'Conditions and nothing',
  time: 'Dates and times',
};

const introduction = `# Expressions

Dimensions and measures of a model are written in SQL's own expression syntax, the part of it that means the same on every engine: DuckDB, PostgreSQL, MySQL, MariaDB and ClickHouse. An expression is checked against the table when its file is read; what is wrong is shown with its place and the nearest name there is.

This page is generated from the table that the program itself uses, and every example on it is run on every engine by the tests.

## What can be written

| | |
| --- | --- |
| columns | \`arr_delay\`, \`"Date of birth"\`, of a join \`airport.city\` |
| values | \`12\`, \`1.5\`, \`'text'\` (a quote inside is doubled), \`true\`, \`false\`, \`null\` |
| arithmetic | \`+ - * / %\` |
| comparing | \`= <> < <= > >=\`, \`between a and b\`, \`in (a, b)\`, \`like 'a%'\`, \`is null\`, \`is not null\` |
| logic | \`and\`, \`or\`, \`not\` |
| texts | \`a \\|\\| b\` |
| choices | \`case when … then … else … end\`, \`case x when 1 then … end\` |
| types | \`cast(x as integer)\`, \`x::date\`; types: integer, bigint, double, decimal, text, date, timestamp, boolean |
| parts of a time | \`extract(hour from t)\` is \`hour(t)\` |
| of some rows only | \`sum(x) filter (where …)\` |

## What is the same everywhere

- **Division is exact**: \`1 / 2\` is 0.5. Anything divided by 0 is nothing.
- **Whole numbers and decimals are exact**, digit for digit, also past what a double holds. A result that does not fit is an error, never a wrong number.
- **Nothing** (null), **empty text** and a text such as \`NULL\` are three different things. Values that are no numbers (NaN, infinity) count as nothing.
- **Texts are equal when their bytes are**: case, accents and blanks at the end count. They sort by the numbers of their characters. Nothing sorts last, upwards and downwards.
- **A cast never fails**: what cannot be read as that type is nothing. \`cast('2023-02-29' as date)\` is nothing. Numbers become whole by rounding halves away from zero.
- **Weeks** begin on Monday and are numbered as ISO 8601 has it.
- **Moments** (a timestamp with a zone) are read on the clock of the dashboard's zone, in every function and every comparison.
- \`count(distinct x)\` is exact.

What an engine cannot hold at all stays its own: ClickHouse before 2021 has no days before 1970 or after 2105, and wants the texts of \`replace\` and \`split_part\` written out.
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
              `\`${cell(text)}\` is ${value === null ? 'nothing' : `\`${cell(typeof value === 'string' ? `'${value}'` : String(value))}\``}`,
          );
        return `| \`${cell(spec.call)}\` | ${spec.says} | ${examples.join('<br>')} |`;
      });
    const note =
      group === 'aggregate' ? '\nThe examples go over the numbers 1, 2, 3, 4 and nothing, called `n`.\n' : '';
    return `## ${titles[group]}\n${note}\n| function | gives | for example |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return [introduction, ...sections].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (process.argv[1] === import.meta.filename) writeFileSync(guideFile, expressionsGuide());
