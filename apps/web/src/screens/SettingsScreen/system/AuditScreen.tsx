import type { AuditEntry } from '@belvedere/api';
import { Button, SearchField, Select, StateChip } from '@belvedere/ui';
import { Download } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { auditQuery, useAuditLog, type AuditFilter } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { auditDetail, auditObject } from '../../../accounts/audit/audit-texts.ts';
import { auditCsv } from '../../../accounts/audit/audit-csv.ts';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { momentText } from '../../../accounts/times.ts';
import { problemText } from '../../../data/problem-text.ts';
import { client } from '../../../data/server.ts';
import { locale } from '../../../messages/messages.ts';
import { saveUrl } from '../../../downloads/save-response.ts';
import { SettingsPage } from '../SettingsPage.tsx';

const outcomes = ['done', 'refused', 'failed'] as const;
/** The last days that can be chosen. */
const spans = [1, 7, 30, 90] as const;
const tones = { done: 'good', refused: 'warn', failed: 'bad' } as const;
const maxExported = 100_000;
/** On narrow screens each entry is a block of lines. */
const cell = 'max-sm:col-span-2 sm:px-3 sm:py-2';

/** Who did what, newest first. */
export function AuditScreen() {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Omit<AuditFilter, 'search'>>({});
  const filter: AuditFilter = { search: useDeferredValue(typed.trim()), ...chosen };
  const isFiltered = Object.values(filter).some(value => value !== undefined && value !== '');
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useAuditLog(filter);
  const [isExporting, setIsExporting] = useState(false);
  const [problem, setProblem] = useState<string>();
  const entries = data?.pages.flatMap(page => page.entries) ?? [];
  const exportAll = async () => {
    setIsExporting(true);
    setProblem(undefined);
    try {
      download(auditCsv(await allEntries(filter), header()));
    } catch (failure) {
      setProblem(problemText(failure));
    }
    setIsExporting(false);
  };
  return (
    <SettingsPage
      title={words.audit.title}
      hint={words.audit.hint}
      isWide
      actions={
        <Button isDisabled={isExporting || entries.length === 0} onPress={() => void exportAll()}>
          <Download size={15} aria-hidden />
          {words.audit.export}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 py-4">
        <div className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
          <SearchField label={words.audit.search} maxLength={200} value={typed} onChange={setTyped} />
          <Select
            label={words.audit.action}
            value={chosen.action ?? ''}
            options={[{ value: '', label: words.audit.allActions }, ...actionOptions()]}
            onChange={value => setChosen({ ...chosen, action: value === '' ? undefined : value })}
          />
          <Select
            label={words.audit.outcome}
            value={chosen.outcome ?? ''}
            options={[
              { value: '', label: words.audit.allOutcomes },
              ...outcomes.map(value => ({ value, label: words.audit.outcomes[value] })),
            ]}
            onChange={value => setChosen({ ...chosen, outcome: outcomes.find(outcome => outcome === value) })}
          />
          <Select
            label={words.audit.time}
            value={String(chosen.days ?? '')}
            options={[
              { value: '', label: words.audit.allTimes },
              ...spans.map(days => ({ value: String(days), label: words.audit.lastDays(days) })),
            ]}
            onChange={value => setChosen({ ...chosen, days: value === '' ? undefined : Number(value) })}
          />
        </div>
        <FormProblem problem={problem} />
      </div>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {entries.length === 0 ? (
          <p className="rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
            {isFiltered ? words.audit.noMatch : words.audit.empty}
          </p>
        ) : (
          <div
            className="relative overflow-x-auto rounded-tile border border-border bg-surface"
            tabIndex={0}
            role="region"
            aria-label={words.audit.list}
          >
            <table className="w-full text-13 max-sm:block">
              <thead className="text-start text-12 whitespace-nowrap text-text-2 max-sm:sr-only">
                <tr className="border-b border-border">
                  <th className="h-9 px-3 font-medium">{words.audit.time}</th>
                  <th className="px-3 font-medium">{words.audit.who}</th>
                  <th className="px-3 font-medium">{words.audit.action}</th>
                  <th className="px-3 font-medium">{words.audit.object}</th>
                  <th className="px-3 font-medium">{words.audit.outcome}</th>
                </tr>
              </thead>
              <tbody className="max-sm:block">
                {entries.map(entry => (
                  <Row key={entry.id} entry={entry} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {hasNextPage ? (
          <Button className="mt-3" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {words.audit.more}
          </Button>
        ) : null}
      </QueryState>
    </SettingsPage>
  );
}

/** The actions, in the order of their names in this language. */
const actionOptions = () =>
  Object.entries(words.audit.actions)
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale));

function Row({
  entry: { at, actor, address, action, object, outcome, detail },
}: {
  readonly entry: AuditEntry;
}) {
  return (
    <tr
      className={
        'border-b border-border align-top last:border-0 hover:bg-hover max-sm:grid max-sm:gap-x-3 max-sm:gap-y-1 ' +
        'max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:px-3 max-sm:py-2.5'
      }
    >
      <td className={`tabular text-text-2 max-sm:order-5 max-sm:text-12 sm:whitespace-nowrap ${cell}`}>
        <time dateTime={at}>{momentText(at)}</time>
      </td>
      <td className={`wrap-anywhere max-sm:order-3 sm:max-w-64 sm:min-w-50 ${cell}`}>
        {actor === undefined ? (
          <span className="text-text-2">{words.audit.nobody}</span>
        ) : (
          <Actor name={actor} />
        )}
        {address ? <span className="block text-12 text-text-3">{address}</span> : null}
      </td>
      <td className="max-sm:order-1 max-sm:font-medium sm:px-3 sm:py-2 sm:whitespace-nowrap" title={action}>
        {words.audit.actions[action] ?? action}
      </td>
      <td className={`wrap-anywhere max-sm:order-4 sm:max-w-80 sm:min-w-60 ${cell}`}>
        {object === undefined ? <span className="max-sm:hidden">–</span> : auditObject(words, object)}
        {detail ? <span className="block text-12 text-text-2">{auditDetail(words, detail)}</span> : null}
      </td>
      <td className="max-sm:order-2 sm:px-3 sm:py-2">
        <StateChip tone={tones[outcome]}>{words.audit.outcomes[outcome]}</StateChip>
      </td>
    </tr>
  );
}

/** A name and, unbroken where it has room, its address in parentheses. */
function Actor({ name }: { readonly name: string }) {
  const at = name.lastIndexOf(' (');
  return at < 0 ? (
    name
  ) : (
    <>
      {name.slice(0, at)} <span className="inline-block">{name.slice(at + 1)}</span>
    </>
  );
}

const header = () =>
  [
    words.audit.time,
    words.audit.who,
    words.audit.address,
    words.audit.action,
    words.audit.object,
    words.audit.outcome,
    words.audit.detail,
  ] as const;

/** All entries that match, not only those that are shown. */
async function allEntries(filter: AuditFilter): Promise<readonly AuditEntry[]> {
  const all: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listAudit({ query: auditQuery(filter, cursor, 500) });
    all.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && all.length < maxExported);
  return all;
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  saveUrl(address, `${words.audit.file}-${new Date().toISOString().slice(0, 10)}.csv`);
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
