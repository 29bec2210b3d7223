import type { ModelPreview } from '@belvedere/api';
import { formatDay, formatNumber, formatValue } from '@belvedere/chart';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { problemText } from '../data/problem-text.ts';
import { client, useSession } from '../data/server.ts';
import { useEditor } from '../editor/state/editing.ts';
import { words } from '../editor/messages/words.ts';
import { locale, t } from '../messages/messages.ts';
import type { Section } from './model-editor.ts';
import { useModelEditing } from './model-editing.ts';

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
const isTime = (type: string) => type === 'date' || type === 'time' || type === 'instant';

type Previewed = 'dimensions' | 'measures' | 'joins';

/**
 * The model's text once the server has looked at it; undefined while it says less than what is on the page.
 */
function useKnownText(): string | undefined {
  const { editor } = useModelEditing();
  return useEditor(editor, state => (state.checkedText === state.text ? state.text : undefined));
}

/** The result of an entry, queried again when its meaning changes. */
export function usePreview(section: Previewed, name: string) {
  const { editor } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const text = useKnownText();
  const holds = useEditor(editor, state => name in state.checked[section]);
  const { source, table, sql, joins, time } = document;
  // What it is called, and how it is shown, is no part of what it means.
  const {
    label: _,
    description: __,
    format: ___,
    ...means
  } = (document[section]?.[name] ?? {}) as Readonly<Record<string, unknown>>;
  const part =
    section === 'dimensions'
      ? { dimension: name }
      : section === 'measures'
        ? { measure: name }
        : { join: name };
  return useQuery({
    queryKey: ['workspace', 'model-preview', editor.name, part, source, table, sql, joins, time, means],
    queryFn: ({ signal }) =>
      client.previewModel({ params: { name: editor.name }, body: { text: text!, part } }, { signal }),
    enabled: holds && text !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** What an entry comes to with the data as it is. */
export function Preview({ section, name }: { readonly section: Section; readonly name: string }) {
  if (section === 'hierarchies') return <OfHierarchy name={name} />;
  if (section === 'policies') return <OfPolicies />;
  return <OfEntry section={section === 'filters' ? 'dimensions' : section} name={name} />;
}

function OfEntry({ section, name }: { readonly section: Previewed; readonly name: string }) {
  const { editor } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const checked = useEditor(editor, state => state.checked);
  const { data, error, isFetching } = usePreview(section, name);
  const holds = name in checked[section];
  if (checked.isImporting)
    return (
      <p role="status" className="text-12 text-text-2">
        {words.model.importing}
      </p>
    );
  if (!holds) return <p className="text-12 text-text-2">{words.model.noPreview}</p>;
  if (error)
    return (
      <p role="alert" className="text-12 text-bad">
        {problemText(error)}
      </p>
    );
  if (!data)
    return (
      <p role="status" className="h-24 text-12 text-text-3">
        …
      </p>
    );
  const { format } = (document[section]?.[name] ?? {}) as { readonly format?: string };
  return (
    <div
      data-testid="preview"
      aria-busy={isFetching}
      className={`flex flex-col gap-2 text-12 ${isFetching ? 'opacity-60' : ''}`}
    >
      <PreviewResult preview={data} format={format} />
    </div>
  );
}

/** What a dimension, a measure or a join comes to. */
export function PreviewResult({
  preview,
  format,
}: {
  readonly preview: ModelPreview;
  readonly format: string | undefined;
}) {
  return preview.kind === 'dimension' ? (
    <OfDimension preview={preview} />
  ) : preview.kind === 'measure' ? (
    <OfMeasure preview={preview} format={format} />
  ) : preview.kind === 'join' ? (
    <OfJoin preview={preview} />
  ) : null;
}

function OfDimension({ preview }: { readonly preview: Extract<ModelPreview, { kind: 'dimension' }> }) {
  const { type, rows, empty, distinct, min, max, values, histogram } = preview;
  const show = (value: number | string | boolean | null) =>
    typeof value === 'number' && isTime(type) ? formatDay(value, locale) : formatValue(value, locale);
  const maxRows = Math.max(1, ...(values ?? histogram ?? []).map(entry => entry.rows));
  return (
    <>
      <NumbersAsText columns={preview.numbersAsText} />
      <p className="text-text-2">
        {words.model.about(t.types[type] ?? type, count(distinct), count(rows))}
        {empty > 0
          ? ` ${words.model.empty(formatNumber(empty / Math.max(1, rows), 'percent', locale, 'label'))}`
          : ''}
      </p>
      {histogram ? (
        <figure>
          <div aria-hidden className="flex h-20 items-end gap-px border-b border-border">
            {histogram.map(bar => (
              <span
                key={bar.from}
                title={`${show(bar.from)} – ${show(bar.below)}: ${count(bar.rows)}`}
                className="min-w-0 flex-1 bg-accent/70"
                style={{ height: bar.rows === 0 ? 0 : `${Math.max(2, (bar.rows / maxRows) * 100)}%` }}
              />
            ))}
          </div>
          <figcaption className="tabular flex justify-between pt-1 text-text-2">
            <span>{show(min ?? null)}</span>
            <span>{show(max ?? null)}</span>
          </figcaption>
        </figure>
      ) : null}
      {values ? (
        <ul className="flex flex-col gap-0.5">
          {values.map(entry => (
            <li
              key={String(entry.value)}
              className="relative flex h-6 items-center justify-between gap-2 px-1.5"
            >
              <span
                aria-hidden
                className="absolute inset-y-0.5 start-0 rounded-sm bg-accent-weak"
                style={{ width: `${(entry.rows / maxRows) * 100}%` }}
              />
              <span className="relative truncate">{show(entry.value)}</span>
              <span className="tabular relative text-text-2">{count(entry.rows)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {values && distinct > values.length ? (
        <p className="text-text-3">
          {words.model.moreValues(count(distinct - values.filter(entry => entry.value !== null).length))}
        </p>
      ) : null}
    </>
  );
}

function OfMeasure({
  preview,
  format,
}: {
  readonly preview: Extract<ModelPreview, { kind: 'measure' }>;
  readonly format: string | undefined;
}) {
  const { value, type, timeSeries } = preview;
  const shown =
    typeof value === 'number'
      ? isTime(type)
        ? formatDay(value, locale)
        : formatNumber(value, format, locale, 'full')
      : formatValue(value, locale);
  return (
    <>
      <p className="tabular text-20 font-semibold tracking-[-0.01em]">{shown}</p>
      <p className="text-text-2">{words.model.overall}</p>
      <NumbersAsText columns={preview.numbersAsText} />
      {timeSeries && timeSeries.length > 1 ? <Sparkline points={timeSeries} /> : null}
    </>
  );
}

/** Numbers that the files have as texts are compared as such: '9' is after '10'. */
function NumbersAsText({ columns }: { readonly columns: readonly string[] | undefined }) {
  return columns ? (
    <p className="rounded-control bg-warn-weak px-2.5 py-2 text-warn">
      {words.model.numbersAsText(columns.join(', '))}
    </p>
  ) : null;
}

/** How the measure ran along the model's time; breaks where it has no value. */
function Sparkline({
  points,
}: {
  readonly points: readonly { readonly at: number; readonly value: number | null }[];
}) {
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(0, ...known), Math.max(...known)];
  const y = (value: number) => 58 - ((value - low) / (high - low || 1)) * 56;
  const x = (at: number) => ((at - points[0]!.at) / (points.at(-1)!.at - points[0]!.at || 1)) * 240;
  const line = points
    .map(({ at, value }, i) =>
      value === null
        ? ''
        : `${i === 0 || points[i - 1]!.value === null ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('');
  return (
    <figure>
      <svg aria-hidden viewBox="0 0 240 60" preserveAspectRatio="none" className="h-16 w-full">
        <path
          d={line}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="tabular flex justify-between text-text-2">
        <span>{formatDay(points[0]!.at, locale)}</span>
        <span>{formatDay(points.at(-1)!.at, locale)}</span>
      </figcaption>
    </figure>
  );
}

/** How many there are on each level: fewest above, most below, where it is one. */
function OfHierarchy({ name }: { readonly name: string }) {
  const { editor } = useModelEditing();
  const levels = useEditor(editor, state => state.document.hierarchies?.[name]);
  return (
    <ol data-testid="preview" className="flex flex-col gap-1 text-12">
      {(levels ?? []).map(level => (
        <Level key={level} name={level} />
      ))}
    </ol>
  );
}

function Level({ name }: { readonly name: string }) {
  const { data } = usePreview('dimensions', name);
  return (
    <li className="flex justify-between gap-2">
      <span className="truncate">{name}</span>
      <span className="tabular text-text-2">
        {data?.kind === 'dimension' ? words.add.distinct(count(data.distinct)) : '…'}
      </span>
    </li>
  );
}

/**
 * How many rows each of the people whom tests name would see: under all policies together, since they add up.
 */
function OfPolicies() {
  const { editor } = useModelEditing();
  const { data: session } = useSession();
  const document = useEditor(editor, state => state.document);
  const text = useKnownText();
  const isReading = useEditor(editor, state => state.checked.isImporting);
  const { source, table, sql, joins, policies } = document;
  const { data, error, isFetching } = useQuery({
    queryKey: ['workspace', 'model-preview', editor.name, 'users', source, table, sql, joins, policies],
    queryFn: ({ signal }) =>
      client.previewModel(
        { params: { name: editor.name }, body: { text: text!, part: { users: true } } },
        { signal },
      ),
    enabled: text !== undefined && !isReading && (session?.people.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (isReading)
    return (
      <p role="status" className="text-12 text-text-2">
        {words.model.importing}
      </p>
    );
  if (session?.people.length === 0) return <p className="text-12 text-text-2">{words.model.noPeople}</p>;
  if (error)
    return (
      <p role="alert" className="text-12 text-bad">
        {problemText(error)}
      </p>
    );
  if (data?.kind !== 'users')
    return (
      <p role="status" className="h-24 text-12 text-text-3">
        …
      </p>
    );
  return (
    <ul
      data-testid="preview"
      aria-busy={isFetching}
      className={`flex flex-col gap-1 text-12 ${isFetching ? 'opacity-60' : ''}`}
    >
      {data.users.map(user => (
        <li key={user.name} className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate" title={user.policies.join(', ')}>
            {user.name}
          </span>
          <span className="tabular shrink-0 text-text-2">
            {t.explain.rowsOf(count(user.rows), count(data.rows))}
          </span>
        </li>
      ))}
      {(session?.people.length ?? 0) > data.users.length ? (
        <li className="text-text-3">
          {words.explore.more((session?.people.length ?? 0) - data.users.length)}
        </li>
      ) : null}
    </ul>
  );
}

function OfJoin({ preview }: { readonly preview: Extract<ModelPreview, { kind: 'join' }> }) {
  const { rows, found, rowsThere, repeated } = preview;
  const share = found / Math.max(1, rows);
  return (
    <>
      <p className="tabular text-20 font-semibold tracking-[-0.01em]">
        {formatNumber(share, 'percent', locale, 'full')}
      </p>
      <p className="text-text-2">{words.model.joinFound(count(found), count(rows), count(rowsThere))}</p>
      {repeated.length > 0 ? (
        <p className="rounded-control bg-warn-weak px-2.5 py-2 text-warn">
          {words.model.joinRepeated(
            repeated.map(({ key, rows: times }) => `${key} (${count(times)})`).join(', '),
          )}
        </p>
      ) : (
        <p className="text-good">{words.model.joinKeyed}</p>
      )}
    </>
  );
}
