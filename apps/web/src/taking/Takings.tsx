import { formatNumber } from '@belvedere/chart';
import { Button } from '@belvedere/ui';
import { useSyncExternalStore } from 'react';
import { locale, t } from '../messages/messages.ts';
import { takings } from './takings.ts';

/** Files that are on their way, with how much of them has come, and those that did not come, with why. */
export function Takings() {
  const { all } = useSyncExternalStore(takings.subscribe, takings.getState);
  if (all.length === 0) return null;
  return (
    <div className="no-print enter fixed end-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-32px)] flex-col gap-2">
      {all.map(({ id, format, bytes, problem, end }) => (
        <div key={id} role={problem === undefined ? 'status' : 'alert'} className="flex items-center gap-2 rounded-tile border border-border bg-raised px-3 py-2 text-13 shadow-float">
          <span className={`min-w-0 flex-1 ${problem === undefined ? '' : 'text-bad'}`}>{problem === undefined ? (bytes === 0 ? t.taking.making(t.formats[format]) : t.taking.coming(t.formats[format], formatNumber(bytes, 'bytes', locale, 'full'))) : problem}</span>
          <Button look="quiet" onPress={end}>{problem === undefined ? t.taking.stop : t.taking.close}</Button>
        </div>
      ))}
    </div>
  );
}
