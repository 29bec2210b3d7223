import type { ImportReport, MostlyTyped } from '@belvedere/engine';
import type { Workspace } from '../workspace/workspace.ts';

/** A warning about a data file, with the line if there is one. */
export interface ImportWarning {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

type Question = NonNullable<ImportReport['questions']>[number];

/**
 * Warnings about tables whose import left questions open, kept columns text because of a few values, or
 * rejected rows. Each says which option decides.
 *
 * @param relative the name under which a file is shown
 */
export function importWarnings(
  { tables }: Pick<Workspace, 'tables'>,
  relative: (file: string) => string,
): ImportWarning[] {
  return [...tables.values()].flatMap(({ found, imported }) => {
    if (!imported) return [];
    const { report, name } = imported;
    const options = `tables/${found.name}.yaml`;
    const [first] = found.files as [string];
    const ofSheet = name === found.name ? '' : ` (table \`${name}\`)`;
    return [
      ...(report.questions ?? []).map(question => ({
        file: relative(first),
        message: `${questionText(question, ofSheet)} in \`${options}\`, or in the import options.`,
      })),
      ...(report.nearly ?? []).map(nearly => {
        const { file = first, line } = nearly.first[0]!;
        return {
          file: relative(file),
          ...(line !== undefined && { line }),
          message: `${misfitText(nearly, ofSheet)} in \`${options}\`, or in the import options.`,
        };
      }),
      ...(report.rowsRejected > 0 ? [rejectedWarning(report, relative, first)] : []),
    ];
  });
}

/** How many decisions an import left to the user, apart from rejected rows. */
export function openQuestions({ questions = [], nearly = [] }: ImportReport): number {
  return questions.length + nearly.length;
}

/** What a question asks and the option that answers it. */
function questionText({ kind, columns, example }: Question, ofSheet: string): string {
  const names = `${listed(columns)}${ofSheet}`;
  const stays = columns.length === 1 ? 'is imported as text' : 'are imported as text';
  return kind === 'date order'
    ? `${names} ${stays}, because the dates are ambiguous (for example ${example}). ` +
        `Set \`dates: day first\` or \`dates: month first\``
    : `${names} ${stays}, because the numbers are ambiguous (for example ${example}). ` +
        `Set \`decimal: "."\` for 1,234.5 or \`decimal: ","\` for 1.234,5`;
}

function misfitText({ column, type, fits, misfits, first }: MostlyTyped, ofSheet: string): string {
  const { sheet, cell, value, count = 1 } = first[0]!;
  const places = [
    ...(cell === undefined ? [] : [`sheet “${sheet}”, cell ${cell}`]),
    ...(count > 1 ? [counted(count, 'time')] : []),
  ];
  const at = places.length > 0 ? ` (${places.join('; ')})` : '';
  const others = misfits > count ? ` and ${counted(misfits - count, 'other value')}` : '';
  const all = fits + misfits;
  return (
    `${listed([column])}${ofSheet} is imported as text because of “${value}”${at}${others}; ` +
    `${fits.toLocaleString('en')} of ${counted(all, 'value')} have the type \`${type}\`. ` +
    `To make the others null, set \`columns: { ${key(column)}: ${type} }\``
  );
}

function rejectedWarning(
  { rowsRejected, rejected }: ImportReport,
  relative: (file: string) => string,
  first: string,
): ImportWarning {
  const rows = `${counted(rowsRejected, 'row')} ${rowsRejected === 1 ? 'was' : 'were'} rejected`;
  const [row] = rejected;
  return row
    ? { file: relative(row.file), line: row.line, message: `${rows}. The first: ${row.reason}` }
    : { file: relative(first), message: `${rows}.` };
}

function listed(columns: readonly string[]): string {
  return columns.map(column => `“${column}”`).join(', ');
}

/** A column's name as a key in YAML. */
function key(column: string): string {
  return /^[A-Za-z_]\w*$/.test(column) ? column : JSON.stringify(column);
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
