import { readDocument, type AlertFile } from '@belvedere/document';
import { Button } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { client } from '../data/server.ts';
import { problemText } from '../data/problem-text.ts';
import { words } from './messages/words.ts';
import { RehearsalChart } from './RehearsalChart.tsx';
import { thresholdsOf, useRehearsal } from './use-rehearsal.ts';

/** A chart of what a saved alert watches, with its thresholds and the times in which it fires by its rule. */
export function PastValues({ id }: { readonly id: string }) {
  const { data: document } = useQuery({
    queryKey: ['alerts', 'document', id],
    queryFn: async ({ signal }) => {
      const { text, file } = await client.getAlertText({ params: { id } }, { signal });
      const read = readDocument('alert', text, file);
      return read.ok ? read.value : null;
    },
    retry: false,
  });
  // The page says itself that a text has errors.
  if (document === null) return null;
  return (
    <section
      aria-label={words.pastValues}
      className="mt-4 rounded-tile border border-border bg-surface px-4 py-3"
    >
      <h2 className="pb-2 text-14 font-semibold">{words.pastValues}</h2>
      {document ? <Chart document={document} /> : <Loading />}
    </section>
  );
}

function Chart({ document }: { readonly document: AlertFile }) {
  const { data, error, refetch, rule, series, unit, rehearsal, isEmpty } = useRehearsal(document);
  if (error)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-bad">
        {problemText(error)}
        <Button look="quiet" onPress={() => void refetch()}>
          {words.tryAgain}
        </Button>
      </p>
    );
  if (!data) return <Loading />;
  if (isEmpty) return <p className="text-text-2">{words.noPastValues}</p>;
  return (
    <RehearsalChart
      rule={rule}
      series={series}
      unit={unit}
      rehearsal={rehearsal}
      measure={data.measure}
      thresholds={thresholdsOf(document)}
    />
  );
}

function Loading() {
  return (
    <div className="h-[220px] animate-pulse rounded-control bg-hover">
      <span className="sr-only">{words.loading}</span>
    </div>
  );
}
