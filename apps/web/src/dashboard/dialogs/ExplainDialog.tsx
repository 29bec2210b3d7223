import { type DashboardState, type Explanation } from '@belvedere/api';
import { describeMoment, formatNumber } from '@belvedere/chart';
import { Modal } from '@belvedere/ui';
import { parseCalendarTime, type Box } from '@belvedere/query';
import { useEffect, useState, type ReactNode } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client } from '../../data/server.ts';
import { locale, t } from '../../messages/messages.ts';

interface ExplainDialogProps {
  readonly dashboard: string;
  readonly tile: string;
  readonly title: string;
  readonly state: DashboardState;
  /** The mark that is selected on the tile, if one is. */
  readonly mark: Box | undefined;
  /** The title of another tile of the dashboard. */
  readonly titleOf: (tile: string) => string;
  readonly onClose: () => void;
}

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');

/** Explains a tile's figures: the query, its filters and their origins, and the engine's SQL. */
export function ExplainDialog({ dashboard, tile, title, state, mark, titleOf, onClose }: ExplainDialogProps) {
  const [explanation, setExplanation] = useState<Explanation>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    client
      .explainTile(
        { params: { id: dashboard, tile }, body: { state, locale, ...(mark && { mark }) } },
        { signal: controller.signal },
      )
      .then(setExplanation)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(problemText(error));
      });
    return () => controller.abort();
  }, [dashboard, tile, state, mark]);
  return (
    <Modal
      label={t.explain.title(title)}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-2xl"
    >
      <div
        className="flex max-h-[76vh] flex-col gap-3 overflow-y-auto p-4"
        tabIndex={0}
        role="region"
        aria-label={t.explain.title(title)}
      >
        <h2 className="text-15 font-semibold">{t.explain.title(title)}</h2>
        {problem ? (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        ) : null}
        {!explanation && !problem ? (
          <p className="text-text-2" aria-busy>
            {t.tile.loading}
          </p>
        ) : null}
        {explanation ? <Story explanation={explanation} titleOf={titleOf} /> : null}
      </div>
    </Modal>
  );
}

function Story({
  explanation: one,
  titleOf,
}: Pick<ExplainDialogProps, 'titleOf'> & { readonly explanation: Explanation }) {
  return (
    <>
      <p>{one.question}.</p>
      <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-1.5 text-13">
        <Fact name={t.explain.value}>
          <span className="tabular font-semibold">
            {typeof one.value === 'number'
              ? formatNumber(one.value, undefined, locale, 'full')
              : (one.value ?? t.explain.nothing)}
          </span>
        </Fact>
        {one.measure && (one.measure.expression !== undefined || one.measure.description !== undefined) ? (
          <FieldFact {...one.measure} />
        ) : null}
        {one.dimensions
          .filter(
            ({ name, expression = name, description }) => expression !== name || description !== undefined,
          )
          .map(dimension => (
            <FieldFact key={dimension.name} {...dimension} />
          ))}
        <Fact name={t.explain.rows}>
          <span className="tabular">{t.explain.rowsOf(count(one.rows), count(one.rowsInTable))}</span>
        </Fact>
        {one.nulls !== undefined ? (
          <Fact name={t.explain.nulls}>
            <span className="tabular">{count(one.nulls)}</span>
          </Fact>
        ) : null}
        <Fact name={t.explain.filters}>
          {one.filters.length === 0 ? (
            t.explain.none
          ) : (
            <ul>
              {one.filters.map(filter => (
                <li key={`${filter.from}${filter.tile ?? ''}${filter.text}`}>
                  {filter.text}{' '}
                  <span className="text-text-3">
                    {t.explain.owners[filter.from]}
                    {filter.tile ? ` ${t.explain.tile(titleOf(filter.tile))}` : ''}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Fact>
        {one.isUnbound ? <Fact name={t.explain.policies}>{t.explain.unbound}</Fact> : null}
        {one.policies ? (
          <Fact name={t.explain.policies}>
            {one.policies.length === 0 ? (
              t.explain.noPolicy
            ) : (
              <ul>
                {one.policies.map(policy => (
                  <li key={policy.name}>
                    {policy.name} <code className="font-mono text-12">{policy.text}</code>
                    {policy.isFit ? null : <span className="text-text-3"> {t.explain.unfit}</span>}
                  </li>
                ))}
              </ul>
            )}
          </Fact>
        ) : null}
        {one.notApplied.length > 0 ? (
          <Fact name={t.explain.notApplied}>{one.notApplied.join(', ')}</Fact>
        ) : null}
        {one.source === undefined ? null : <Fact name={t.explain.from}>{one.source}</Fact>}
        {one.joins.length > 0 ? <Fact name={t.explain.joins}>{one.joins.join('; ')}</Fact> : null}
        {one.dataTime ? (
          <Fact name={t.explain.dataTime}>
            <span className="tabular">{describeMoment(parseCalendarTime(one.dataTime), locale)}</span>
          </Fact>
        ) : null}
        <Fact name={t.explain.zone}>{one.zone}</Fact>
      </dl>
      {one.sql ? (
        <details>
          <summary className="text-13 font-medium">SQL</summary>
          <pre
            className="mt-2 overflow-x-auto rounded-control border border-border bg-surface p-2 font-mono text-12 whitespace-pre-wrap"
            tabIndex={0}
            role="region"
            aria-label="SQL"
          >
            {one.sql}
          </pre>
        </details>
      ) : null}
    </>
  );
}

/** A field's expression and description. */
function FieldFact({ label, expression, description }: NonNullable<Explanation['measure']>) {
  return (
    <Fact name={label}>
      {expression === undefined ? null : <code className="font-mono text-12">{expression}</code>}
      {description !== undefined && description !== expression ? (
        <p className="text-12 text-text-2">{description}</p>
      ) : null}
    </Fact>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
