import type { ReportSummary } from '@belvedere/api';
import { Button, Checkbox, InlineSelect, SearchField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { QueryState } from '../../accounts/QueryState.tsx';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { agoText, momentText } from '../../accounts/times.ts';
import { client } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { words } from '../../reports/messages/words.ts';
import { isReceived, useReports } from '../../reports/report-data.ts';
import { primaryLink } from '../../reports/primary-link.ts';
import { ReportState } from '../../reports/ReportState.tsx';
import { dueText, scheduleText } from '../../reports/schedule-text.ts';
import { useReportChange } from '../../reports/use-report-change.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';

type Filter = keyof typeof words.filters;

const isShownBy: Readonly<Record<Filter, (report: ReportSummary) => boolean>> = {
  all: () => true,
  own: report => report.isOwn,
  received: isReceived,
  trouble: ({ state }) => state === 'failed' || state === 'stopped' || state === 'invalid',
  paused: ({ state }) => state === 'paused',
};

/** The reports that this user owns or gets, with their state. */
export function ReportsScreen() {
  const { data, error, isPending, refetch } = useReports();
  const { create } = usePermissions();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('all');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [left, setLeft] = useState(0);
  const { change, isBusy, problem } = useReportChange();
  const reports = data?.reports ?? [];
  const wanted = search.trim().toLowerCase();
  const found = reports.filter(
    report =>
      isShownBy[filter](report) &&
      [report.title, report.dashboard?.title, report.owner?.name, report.owner?.email].some(text =>
        text?.toLowerCase().includes(wanted),
      ),
  );
  const editable = found.filter(({ isEditable }) => isEditable);
  const chosen = editable.filter(({ id }) => selected.has(id));
  const pause = (isPaused: boolean) =>
    change(async () => {
      const answer = await client.pauseReports({ body: { ids: chosen.map(({ id }) => id), isPaused } });
      setLeft(answer.left.length);
      setSelected(new Set());
    });
  const select = (ids: readonly string[], isSelected: boolean) =>
    setSelected(before => {
      const next = new Set(before);
      for (const id of ids)
        if (isSelected) next.add(id);
        else next.delete(id);
      return next;
    });
  return (
    <div className="mx-auto max-w-[1080px] pt-6">
      <HeaderTitle title={words.title}>
        <span className="truncate text-14 font-semibold">{words.title}</span>
      </HeaderTitle>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-4">
        <div className="min-w-0">
          <h1 className="text-20 font-semibold tracking-[-0.01em]">{words.title}</h1>
          <p className="text-text-2">{words.hint}</p>
        </div>
        {create ? <NewReportLink /> : null}
      </div>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {reports.length === 0 ? (
          <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
            <strong className="block font-medium text-text">{words.empty}</strong>
            {words.emptyHint}
          </p>
        ) : (
          <>
            <div className="flex flex-wrap items-end gap-3 pb-3">
              <div className="w-72 max-w-full">
                <SearchField label={words.search} value={search} onChange={setSearch} maxLength={200} />
              </div>
              <div className="w-44">
                <InlineSelect
                  label={words.show}
                  value={filter}
                  options={(Object.keys(isShownBy) as Filter[]).map(value => ({
                    value,
                    label: words.filters[value],
                  }))}
                  onChange={value => setFilter(value as Filter)}
                />
              </div>
              {chosen.length > 0 ? (
                <span className="flex flex-wrap gap-2">
                  <Button isDisabled={isBusy} onPress={() => void pause(true)}>
                    {words.pauseSome(chosen.length)}
                  </Button>
                  <Button isDisabled={isBusy} onPress={() => void pause(false)}>
                    {words.resumeSome(chosen.length)}
                  </Button>
                </span>
              ) : null}
            </div>
            <FormProblem problem={problem ?? (left > 0 ? words.notChanged(left) : undefined)} />
            {found.length === 0 ? (
              <p className="py-10 text-center text-text-2">{words.noneFound}</p>
            ) : (
              <div
                className="relative overflow-x-auto rounded-tile border border-border bg-surface"
                tabIndex={0}
                role="region"
                aria-label={words.title}
              >
                <table className="w-full text-13">
                  <thead className="text-12 whitespace-nowrap text-text-2">
                    <tr className="border-b border-border">
                      <th className="w-8 ps-2 max-md:w-auto max-md:py-1">
                        {editable.length > 0 ? (
                          <Checkbox
                            isSelected={chosen.length === editable.length}
                            onChange={isSelected =>
                              select(
                                editable.map(({ id }) => id),
                                isSelected,
                              )
                            }
                          >
                            <span className="sr-only">{words.selectAll}</span>
                          </Checkbox>
                        ) : (
                          <span className="sr-only">{words.selectAll}</span>
                        )}
                      </th>
                      {(['report', 'schedule', 'next', 'last', 'owner'] as const).map(column => (
                        <th key={column} className="h-9 px-3 text-start font-medium max-md:sr-only">
                          {words.columns[column]}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {found.map(report => (
                      <Row
                        key={report.id}
                        report={report}
                        isSelected={selected.has(report.id)}
                        onSelect={isSelected => select([report.id], isSelected)}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </>
        )}
      </QueryState>
    </div>
  );
}

function NewReportLink() {
  return (
    <Link to="/reports/new" search={{}} className={primaryLink}>
      <Plus size={15} aria-hidden />
      {words.newReport}
    </Link>
  );
}

// On phones a row is a block of lines, which a table keeps as a row for screen readers by its role.
const row =
  'border-b border-border align-top last:border-0 max-md:grid max-md:grid-cols-[2rem_minmax(0,1fr)] max-md:py-2';
const cell = 'px-3 py-2 max-md:col-start-2 max-md:py-0.5';

interface RowProps {
  readonly report: ReportSummary;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
}

function Row({ report, isSelected, onSelect }: RowProps) {
  const { id, title, dashboard, schedule, timezone, next, lastRun, owner, isEditable } = report;
  const due = next === undefined ? undefined : dueText(next, timezone);
  return (
    <tr role="row" className={row}>
      <td role="cell" className="ps-2 pt-1 max-md:row-span-5 max-md:pt-0">
        {isEditable ? (
          <Checkbox isSelected={isSelected} onChange={onSelect}>
            <span className="sr-only">{words.select(title)}</span>
          </Checkbox>
        ) : null}
      </td>
      <td role="cell" className={`min-w-44 ${cell}`}>
        <span className="flex flex-wrap items-center gap-2">
          <Link to="/reports/$report" params={{ report: id }} className="font-medium hover:underline">
            {title}
          </Link>
          {report.state === 'scheduled' ? null : <ReportState state={report.state} />}
        </span>
        {dashboard ? <span className="block text-12 text-text-2">{dashboard.title}</span> : null}
      </td>
      <td role="cell" className={`min-w-36 ${cell}`}>
        {schedule ? scheduleText(schedule) : words.notScheduled}
      </td>
      <td role="cell" className={`whitespace-nowrap ${cell}`}>
        <Label>{words.columns.next}</Label>
        {due ? (
          <>
            <span className="tabular md:block">{due.scheduled}</span>
            {due.local === undefined ? null : (
              <>
                <span className="block text-12 text-text-2">{timezone.replaceAll('_', ' ')}</span>
                <span className="tabular block text-12 text-text-2">{due.local}</span>
              </>
            )}
          </>
        ) : (
          words.notScheduled
        )}
      </td>
      <td role="cell" className={`min-w-32 ${cell}`}>
        <Label>{words.columns.last}</Label>
        {lastRun ? (
          <>
            <span className="md:block">{words.outcomes[lastRun.outcome]}</span>
            <span className="text-12 text-text-2 max-md:ps-1.5 md:block" title={momentText(lastRun.ended)}>
              {agoText(lastRun.ended)}
            </span>
          </>
        ) : (
          <span className="text-text-2">{words.never}</span>
        )}
      </td>
      <td role="cell" className={cell}>
        <Label>{words.columns.owner}</Label>
        {owner?.name ?? owner?.email ?? words.notScheduled}
      </td>
    </tr>
  );
}

/** The head of a column, where a row is shown as lines. */
function Label({ children }: { readonly children: string }) {
  return <span className="pe-1.5 text-12 text-text-2 md:hidden">{children}</span>;
}
