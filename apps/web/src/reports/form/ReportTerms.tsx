import type { ReportDetail } from '@belvedere/api';
import { formatNumber, parameterText } from '@belvedere/chart';
import { useDashboardNamed } from '../../data/server.ts';
import {
  describeCondition,
  fieldFormat,
  fieldLabel,
  parameterLabel,
} from '../../dashboard/tiles/describe.ts';
import { shownTitle, underFilters } from '../../alerts/tile-measures.ts';
import { languageName, locale } from '../../messages/messages.ts';
import { words } from '../messages/words.ts';
import { words as scheduledWords } from '../../scheduled/messages/words.ts';
import { ReportFact } from '../ReportFact.tsx';

type Terms = NonNullable<ReportDetail['terms']>;
type OpenDashboard = NonNullable<ReturnType<typeof useDashboardNamed>['data']>;

/** In words: what a report sends, and for those who may change it under which filters and conditions. */
export function ReportTerms({ report: { content, terms, dashboard } }: { readonly report: ReportDetail }) {
  // Field labels and titles of figures are known from the dashboard.
  const { data: opened } = useDashboardNamed(dashboard?.id);
  return (
    <>
      {content ? <ReportFact label={words.contents.title}>{contentText(content)}</ReportFact> : null}
      {terms ? <Details terms={terms} opened={opened} /> : null}
    </>
  );
}

function Details({ terms, opened }: { readonly terms: Terms; readonly opened: OpenDashboard | undefined }) {
  const { filters, parameters, onlyIf, rows, lists } = terms;
  const conditions = conditionTexts(onlyIf, opened);
  const filterLines = filterTexts(filters, opened);
  const parameterLines = Object.entries(parameters ?? {}).map(([name, value]) => {
    const parameter = opened?.document?.parameters?.[name];
    return parameter
      ? `${parameter.label ?? name}: ${parameterText(parameter, value, one => parameterLabel(opened!.models, one), locale)}`
      : `${name}: ${value}`;
  });
  return (
    <>
      {conditions.length > 0 ? (
        <ReportFact label={words.editor.onlyIf}>
          <Lines texts={conditions} />
        </ReportFact>
      ) : null}
      {filterLines.length > 0 ? (
        <ReportFact label={scheduledWords.filters}>
          <Lines texts={filterLines} />
        </ReportFact>
      ) : null}
      {parameterLines.length > 0 ? (
        <ReportFact label={words.editor.parameters}>
          <Lines texts={parameterLines} />
        </ReportFact>
      ) : null}
      <ReportFact label={words.editor.rows}>{words.editor.rowsOf[rows]}</ReportFact>
      {lists.length > 0 ? (
        <ReportFact label={words.editor.each}>
          <Lines
            texts={lists.map(
              list => `${list.to.join(', ')} – ${filterTexts(list.filters, opened).join('; ')}`,
            )}
          />
        </ReportFact>
      ) : null}
    </>
  );
}

function Lines({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text, i) => (
        <li key={i}>{text}</li>
      ))}
    </ul>
  );
}

function contentText({
  pictures,
  attach,
  pages,
  locale: language,
}: NonNullable<ReportDetail['content']>): string {
  const parts = [...(pictures ? [words.contents.pictures] : []), ...attach.map(kind => words.contents[kind])];
  const list = parts.length === 0 ? words.contents.linkOnly : parts.join(', ');
  return [
    list,
    ...(pages ? [words.contents.pages(pages.join(', '))] : []),
    ...(language === undefined ? [] : [languageName(language)]),
  ].join(' · ');
}

function filterTexts(filters: Terms['filters'], opened: OpenDashboard | undefined): string[] {
  const models = opened?.models ?? [];
  return Object.entries(filters ?? {}).map(
    ([field, condition]) =>
      `${fieldLabel(models, field)}: ${describeCondition(condition, fieldFormat(models, field))}`,
  );
}

function conditionTexts(onlyIf: Terms['onlyIf'], opened: OpenDashboard | undefined): string[] {
  if (!onlyIf) return [];
  const { notEmpty, fresh, tile, above, below } = onlyIf;
  const title = tile === undefined ? '' : opened ? shownTitle(underFilters(opened), tile) : tile;
  const figure = (direction: 'above' | 'below', threshold: number | undefined) =>
    threshold === undefined
      ? []
      : [words.contents.figure(title, words.editor.figureDirections[direction], numberText(threshold))];
  return [
    ...(notEmpty ? [words.editor.notEmpty] : []),
    ...(fresh === undefined ? [] : [`${words.editor.fresh}: ${words.editor.age(fresh)}`]),
    ...figure('above', above),
    ...figure('below', below),
  ];
}

const numberText = (value: number) => formatNumber(value, undefined, locale, 'full');
