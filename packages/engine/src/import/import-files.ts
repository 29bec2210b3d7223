import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import path from 'node:path';
import { countRecords, type CountedRecords } from './csv/count-records.ts';
import { convertDatesByFile } from './csv/dates-by-file.ts';
import { convertDeclared } from './columns/declared-types.ts';
import { sameName } from './csv/first-lines.ts';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import { headerOf, namesInLines } from './csv/csv-header.ts';
import { alwaysNull, csvOptions } from './csv/csv-options.ts';
import type { CsvReport } from './csv/import-csv.ts';
import { oddLines, repeatedHeaders } from './csv/odd-lines.ts';
import { maxColumns, refuseTooManyColumns, sniff, type Sniffed } from './csv/sniff-csv.ts';
import { firstSentence, keptRejects } from './csv/rejected-rows.ts';
import { digitNotes, listed, readAsNull } from './columns/column-notes.ts';
import { linesOfRows } from './csv/row-lines.ts';
import type { Locate } from './columns/mostly-typed.ts';
import { nameColumn } from './discovery/file-name-columns.ts';
import {
  folderOf,
  inGroups,
  prepareFiles,
  sampleOf,
  withDelimiters,
  withQuotesDoubled,
  type FileGroup,
  type PreparedFile,
} from './prepare-files.ts';
import type { UnpackedBytes } from './archives/unpacked-bytes.ts';
import { withoutRepeatedHeader } from './csv/repeated-header.ts';
import { ImportError, together, type ImportReport, type RejectedRow } from './report.ts';
import { fileText, isOneOf, quoted, rowsOf, text } from './sql-text.ts';
import type { Stage } from './progress.ts';
import { cleanedText, inferTypes } from './columns/infer-types.ts';
import { convertDates } from './columns/date-formats.ts';

/** A group of files and the format to read them with. */
interface ReadableGroup extends FileGroup {
  readonly sniffed: Sniffed;
  /** The column names, in file order. */
  readonly names: readonly string[];
  /** Lines above the first row or header that the engine has to skip. */
  readonly skip: number;
  readonly hasHeaderLine: boolean;
  /** The expected number of values per line. */
  readonly values: number;
  /** Lines that repeat the header, by file. */
  readonly repeated: ReadonlyMap<string, readonly number[]>;
  readonly notes: readonly string[];
}

/** A column of the table, combined from the files' columns of this name. */
interface WholeColumn {
  readonly name: string;
  readonly key: string;
  readonly spellings: readonly string[];
}

/** The column of `raw` with the index of each row's file. */
const fileColumn = 'file';

/**
 * Imports several CSV files as one table into `main.data`, and reports on it. Files may differ in column
 * order, delimiter and encoding. Columns are combined by name, and their types are inferred from the values
 * of all files. The differing part of the file names becomes a column, as do the keys of Hive folders.
 */
export async function importCsvFiles(
  connection: DuckDBConnection,
  { files, isHive, name, reading }: DiscoveredTable,
  folder: string,
  produced: UnpackedBytes,
  stage: Stage = () => {},
  onFile: (number: number) => void = () => {},
): Promise<CsvReport> {
  const decoded = await prepareFiles(files, folder, produced, reading, number => {
    stage((number / files.length) * 30, (number / files.length) * 30);
    onFile(number);
  });
  const prepared = reading?.delimiter === undefined ? await withDelimiters(decoded, produced) : decoded;
  if (prepared.length === 0)
    throw new ImportError(files[0]!, undefined, 'Every file of this table is empty.');
  stage(30, 35);
  const groups: ReadableGroup[] = [];
  for (const [i, group] of inGroups(prepared, reading?.header).entries())
    groups.push(await readable(connection, group, path.join(folder, `sample-${i}.csv`), produced, reading));
  const columns = wholeColumns(groups);
  if (columns.length > maxColumns)
    throw new ImportError(
      files[0]!,
      undefined,
      `Combined, these files have ${columns.length} columns; the maximum is ${maxColumns}. If they are not one table, write \`files: separate\` into \`tables/${name}.yaml\`.`,
    );
  stage(35, 75);
  let nulls: readonly string[] = reading?.nulls ? ['', ...reading.nulls] : alwaysNull;
  const [rejected, counted] = await Promise.all([
    load(connection, groups, columns, prepared, nulls),
    countAll(groups),
  ]);
  stage(75, 90);
  const notes: string[] = [];
  const ids = columns.map((_, i) => `c${i}`);
  const isDecided = new Set(Object.keys(reading?.columns ?? {}));
  const open = ids.filter((_, i) => !isDecided.has(columns[i]!.name));
  const inferred = await inferTypes(connection, 'raw', open, reading);
  const nameOf = (id: string) => columns[Number(id.slice(1))]!.name;
  if (inferred.without.length > 0) {
    nulls = [...alwaysNull, ...inferred.without];
    // In text columns, quoted null tokens are texts and unquoted ones are nulls. Only the files contain the
    // quotes.
    if (
      await hasTokens(
        connection,
        ids.filter(id => !inferred.types.has(id)),
        inferred.without,
      )
    )
      await load(connection, groups, columns, prepared, nulls);
    notes.push(readAsNull(inferred.without));
  }
  notes.push(
    ...digitNotes({
      exact: inferred.exact.map(nameOf),
      rounded: inferred.rounded.map(nameOf),
      codes: inferred.codes.map(nameOf),
    }),
  );
  const added = isHive ? hiveColumns(prepared) : ofNames(prepared, columns);
  const typed = ids.map(id =>
    inferred.types.has(id)
      ? `cast(${cleanedText(id, inferred.without)} as ${inferred.types.get(id)!})`
      : quoted(id),
  );
  await connection.run(
    `create table data as select ${[...typed.map((value, i) => `${value} as ${quoted(columns[i]!.name)}`), ...added.map(column => column.sql)].join(', ')} from raw`,
  );
  const isUntyped = (_: unknown, i: number) => !inferred.types.has(`c${i}`);
  const declared = await convertDeclared(
    connection,
    columns.filter(isUntyped).flatMap(({ name: column }) => (isDecided.has(column) ? [column] : [])),
    reading,
  );
  notes.push(...declared.notes);
  const texts = (await rowsOf(connection, 'describe data'))
    .filter(([column, type]) => type === 'VARCHAR' && !isDecided.has(String(column)))
    .map(([column]) => String(column));
  const dates = await convertDates(connection, texts, reading);
  const ambiguousColumns = new Set(dates.question?.columns);
  notes.push(
    ...dates.notes,
    ...(await convertDatesByFile(
      connection,
      texts.filter(column => !ambiguousColumns.has(column)),
      column => `c${columns.findIndex(one => one.name === column)}`,
      reading,
    )),
  );
  const questions = [...declared.questions, ...(dates.question ? [dates.question] : [])];
  const nulled = [...declared.nulled, ...dates.nulled];
  const firsts = (await rowsOf(connection, 'select file, min(rowid), count(*) from raw group by 1')).map(
    row => row.map(Number) as [number, number, number],
  );
  await connection.run('drop table raw');
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  const rowsKept = Number(kept![0]);
  const rowsRead = counted.reduce(
    (sum, { records, group }) => sum + records - (group.hasHeaderLine ? 1 : 0),
    0,
  );
  const unaccounted = rowsRead - rowsKept - rejected.total;
  if (unaccounted !== 0)
    notes.push(
      `A count of the files’ lines differs by ${Math.abs(unaccounted)} from the rows found: quotes may be unbalanced.`,
    );
  const each = (values: readonly string[]) => [...new Set(values)].join(', ');
  const report: ImportReport = {
    rowsRead,
    rowsKept,
    rowsRejected: rejected.total,
    rejected: rejected.rows,
    encoding: each(prepared.map(one => one.encoding)),
    delimiter: each(groups.map(({ sniffed }) => sniffed.delimiter)),
    hasHeader: groups.every(({ hasHeaderLine, notes: said }) => hasHeaderLine || said.length > 0),
    notes: [
      `${files.length} files, one table.${isHive || reading?.files !== undefined ? '' : ` To import them separately, write \`files: separate\` into \`tables/${name}.yaml\`.`}`,
      ...(prepared.length < files.length ? [`${files.length - prepared.length} of them are empty.`] : []),
      ...added.flatMap(({ note }) => note ?? []),
      ...missingColumns(columns, groups, prepared.length),
      ...columns
        .filter(({ spellings }) => spellings.length > 1)
        .map(
          ({ name: column, spellings }) =>
            `“${column}” is also spelled ${listed(spellings.filter(one => one !== column))}; treated as one column.`,
        ),
      ...new Set(groups.flatMap(group => group.notes)),
      ...notesByFile(prepared, groups, counted),
      ...notes,
    ],
    ...together(questions),
    ...(nulled.length > 0 && { nulled }),
  };
  const locate = locateIn(prepared, groups, rejected, firsts);
  return { report, locate };
}

/**
 * Returns a function that finds the file and line of rows.
 * @param firsts of each file: its index, its first row and the number of its rows
 */
function locateIn(
  prepared: readonly PreparedFile[],
  groups: readonly ReadableGroup[],
  rejected: Awaited<ReturnType<typeof load>>,
  firsts: readonly (readonly [number, number, number])[],
): Locate {
  return async rows => {
    const places = new Map<number, { readonly file: string; readonly line: number }>();
    for (const [at, first, count] of firsts) {
      const { original } = prepared[at]!;
      const within = rows.filter(row => row >= first && row < first + count).map(row => row - first);
      const group = groups.find(one => one.files.some(file => file.original === original));
      const { file } = group!.files.find(one => one.original === original)!;
      const ofFile = {
        total: rejected.total > rejected.rows.length ? Infinity : 0,
        rows: rejected.rows.filter(row => row.file === original),
      };
      for (const [row, line] of await linesOfRows(
        { file, skip: group!.skip, marks: group!.sniffed, hasHeader: group!.hasHeaderLine },
        within,
        ofFile,
      ))
        places.set(first + row, { file: original, line });
    }
    return places;
  };
}

/** Detects the format of a group's files. */
async function readable(
  connection: DuckDBConnection,
  group: FileGroup,
  sample: string,
  produced: UnpackedBytes,
  reading: TableFile | undefined,
): Promise<ReadableGroup> {
  const [first] = group.files as [PreparedFile];
  const nulls = reading?.nulls ? ['', ...reading.nulls] : alwaysNull;
  const given = {
    ...(reading?.delimiter !== undefined && { delimiter: reading.delimiter }),
    ...(group.hasHeader !== undefined && { header: group.hasHeader }),
  };
  const sniffSample = (one: FileGroup) =>
    sampleOf(one, sample).then(file =>
      sniff(connection, file, { skip: 0, nulls, original: first.original, reading: given }),
    );
  const firstSniff = await sniffSample(group);
  const isEscaped = firstSniff.escape === '\\' && firstSniff.quote !== '';
  const whole = isEscaped ? await withQuotesDoubled(group, produced, firstSniff.quote) : group;
  const found = isEscaped ? await sniffSample(whole) : firstSniff;
  refuseTooManyColumns(found.columns.length, first.original, found.delimiter);
  const header = await headerOf(sample, found);
  const repeated = new Map<string, readonly number[]>();
  const files: PreparedFile[] = [];
  for (const one of whole.files) {
    const mayRepeat = !one.isOnce && header?.isOfNames && found.hasHeader && reading?.header !== false;
    const once = mayRepeat
      ? await withoutRepeatedHeader(one.file, header.text, await folderOf(one), produced)
      : undefined;
    if (once) repeated.set(one.original, once.lines);
    files.push(once ? { ...one, file: once.file } : one);
  }
  const inLines =
    found.hasHeader && reading?.header === undefined ? await namesInLines(sample, found) : undefined;
  // Parts of the files that were not sampled may contain quotes.
  const quote = found.quote === '' ? { quote: '"', escape: '"' } : {};
  return {
    ...group,
    files,
    sniffed: { ...found, ...quote },
    names: found.columns.map(({ name }, i) => inLines?.names[i] ?? name),
    skip: first.skip + found.skip + (inLines?.lines ?? 0),
    hasHeaderLine: found.hasHeader && !inLines,
    values: found.hasHeader && !inLines && header ? header.cells : found.columns.length,
    repeated,
    notes: [
      ...(isEscaped ? [`A quote within quotes is written \\${firstSniff.quote}.`] : []),
      ...(inLines ? [`The first ${inLines.lines} lines name the columns.`] : []),
      ...(found.hasHeader ? [] : ['The files have no header line, so columns are numbered.']),
    ],
  };
}

/** The columns of all groups, starting with the largest group, each in its most frequent spelling. */
function wholeColumns(groups: readonly ReadableGroup[]): WholeColumn[] {
  const columns = new Map<string, WholeColumn>();
  for (const { names } of groups) {
    for (const [i, key] of keysOf(names).entries()) {
      const name = names[i]!;
      const known = columns.get(key);
      columns.set(
        key,
        known
          ? { ...known, spellings: [...new Set([...known.spellings, name])] }
          : { name, key, spellings: [name] },
      );
    }
  }
  return [...columns.values()];
}

/**
 * The keys by which columns of files are matched: each name without case and punctuation, if it is unique in
 * the file.
 */
function keysOf(names: readonly string[]): string[] {
  const keys = names.map(sameName);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return keys.map((key, i) => (counts.get(key)! > 1 ? `=${names[i]!.toLowerCase()}` : key));
}

/** Reads the files into `raw` as texts. */
async function load(
  connection: DuckDBConnection,
  groups: readonly ReadableGroup[],
  columns: readonly WholeColumn[],
  prepared: readonly PreparedFile[],
  nulls: readonly string[],
): Promise<{ total: number; rows: RejectedRow[] }> {
  await connection.run(
    `create or replace temp table raw (${columns.map((_, i) => `c${i} varchar`).join(', ')}, ${fileColumn} integer)`,
  );
  const places = new Map(prepared.map(({ original }, i) => [original, i]));
  const rows: RejectedRow[] = [];
  let total = 0;
  for (const { files, sniffed, names, skip, hasHeaderLine } of groups) {
    const at = new Map(keysOf(names).map((key, i) => [key, i]));
    const values = columns.map(({ key }) => (at.has(key) ? `g${at.get(key)!}` : 'null'));
    const texts = names.map((_, i) => [`g${i}`, 'VARCHAR'] as const);
    const options = [
      ...csvOptions(sniffed, { skip, hasHeader: hasHeaderLine, columns: texts, nulls }),
      'store_rejects = true',
      'rejects_limit = 0',
    ];
    await connection.run('drop table if exists reject_errors; drop table if exists reject_scans');
    const numbers = `[${files.map(({ original }) => places.get(original)!).join(', ')}]`;
    await connection.run(
      `insert into raw select ${values.join(', ')}, ${numbers}[file_index::bigint + 1] from read_csv([${files.map(({ file }) => fileText(file)).join(', ')}], ${options.join(', ')})`,
    );
    const originals = new Map(files.map(({ file, original }) => [file, original]));
    const [count] = await rowsOf(
      connection,
      'select count(*) from (select distinct file_id, line from reject_errors)',
    );
    total += Number(count![0]);
    if (total === 0 || rows.length >= keptRejects) continue;
    const errors = await rowsOf(
      connection,
      `select any_value(file_path), line, any_value(column_name), any_value(error_message), any_value(csv_line) from reject_errors join reject_scans using (scan_id, file_id) group by file_id, line order by file_id, line limit ${keptRejects - rows.length}`,
    );
    for (const [file, line, column, reason, csvLine] of errors) {
      const name = column === null ? undefined : names[Number(String(column).slice(1))];
      rows.push({
        file: originals.get(String(file)) ?? files[0]!.original,
        line: Number(line),
        ...(name !== undefined && { column: name }),
        reason: firstSentence(String(reason)),
        ...(csvLine !== null && { text: String(csvLine).slice(0, 200) }),
      });
    }
  }
  return { total, rows };
}

async function hasTokens(
  connection: DuckDBConnection,
  columns: readonly string[],
  tokens: readonly string[],
): Promise<boolean> {
  for (let start = 0; start < columns.length; start += 50) {
    const tests = columns
      .slice(start, start + 50)
      .map(name => `coalesce(bool_or(${isOneOf(quoted(name), tokens)}), false)`);
    const [row] = await rowsOf(connection, `select ${tests.join(' or ')} from raw`);
    if (row![0] === true) return true;
  }
  return false;
}

interface AddedColumn {
  readonly sql: string;
  readonly note?: string;
}

/** The column derived from the file names. */
function ofNames(prepared: readonly PreparedFile[], columns: readonly WholeColumn[]): AddedColumn[] {
  const found = nameColumn(prepared.map(one => one.original));
  if (!found) return [];
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  let name: string = found.name;
  for (let n = 2; taken.has(name); n++) name = `${found.name}_${n}`;
  const sql = `cast([${found.values.map(text).join(', ')}][${fileColumn} + 1] as ${found.type}) as ${quoted(name)}`;
  return [{ sql, note: `“${name}” is the part of the file names that differs.` }];
}

/** Columns for the keys of `…/year=2024/month=03/…`. */
function hiveColumns(prepared: readonly PreparedFile[]): AddedColumn[] {
  const keys = prepared.map(
    ({ original }) =>
      new Map(
        original
          .split(path.sep)
          .slice(0, -1)
          .flatMap(part =>
            /^[^=]+=/.test(part)
              ? [
                  [
                    part.slice(0, part.indexOf('=')),
                    decodedOrAsIs(part.slice(part.indexOf('=') + 1)),
                  ] as const,
                ]
              : [],
          ),
      ),
  );
  return [...new Set(keys.flatMap(of => [...of.keys()]))].map(key => ({
    sql: `[${keys.map(of => (of.has(key) ? text(of.get(key)!) : 'null')).join(', ')}][${fileColumn} + 1]::varchar as ${quoted(key)}`,
  }));
}

/** A key's value with its `%20` decoded; a lone `%` stays. */
function decodedOrAsIs(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

interface CountedFile extends CountedRecords {
  readonly file: string;
  readonly group: ReadableGroup;
}

async function countAll(groups: readonly ReadableGroup[]): Promise<CountedFile[]> {
  const counted: CountedFile[] = [];
  for (const group of groups) {
    const { files, sniffed, skip, values } = group;
    for (const { file, original } of files)
      counted.push({ ...(await countRecords(file, skip, sniffed, values)), file: original, group });
  }
  return counted;
}

/** Notes on columns that some files do not have. */
function missingColumns(
  columns: readonly WholeColumn[],
  groups: readonly ReadableGroup[],
  count: number,
): string[] {
  const known = groups.map(({ files, names }) => ({ files, keys: new Set(keysOf(names)) }));
  return columns.flatMap(({ name, key }) => {
    const without = known.filter(({ keys }) => !keys.has(key)).flatMap(({ files }) => files);
    if (without.length === 0) return [];
    return [
      `“${name}” is missing in ${without.length} of ${count} files (${namedFiles(without.map(({ original }) => original))}), so it is null there.`,
    ];
  });
}

const maxNamed = 3;

function namedFiles(files: readonly string[]): string {
  const names = files.slice(0, maxNamed).map(file => path.basename(file));
  return `${names.join(', ')}${files.length > maxNamed ? ' …' : ''}`;
}

/**
 * Notes on single files, each with the file's name. Equal notes of many files are combined: the first file
 * and the number of files.
 */
function notesByFile(
  prepared: readonly PreparedFile[],
  groups: readonly ReadableGroup[],
  counted: readonly CountedFile[],
): string[] {
  const ofFile = new Map(prepared.map(({ original, notes }) => [original, [...notes]]));
  for (const { repeated } of groups)
    for (const [file, lines] of repeated) ofFile.get(file)!.push(repeatedHeaders(lines));
  for (const one of counted) {
    const { group } = one;
    ofFile
      .get(one.file)!
      .push(...oddLines(one, group.values, group.sniffed, group.repeated.get(one.file) ?? []));
  }
  const kinds = Map.groupBy(
    [...ofFile].flatMap(([file, notes]) => notes.map(note => ({ file, note }))),
    ({ note }) => note.replace(/[\d., ]+/g, '#'),
  );
  return [...kinds.values()].map(
    ([first, ...others]) =>
      `${path.basename(first!.file)}: ${first!.note}${others.length > 0 ? ` The same applies to ${others.length} more ${others.length === 1 ? 'file' : 'files'}.` : ''}`,
  );
}
