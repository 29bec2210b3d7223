import { Button } from '@belvedere/ui';
import type { ReactNode } from 'react';
import { problemText } from '../data/problem-text.ts';
import { words } from './messages/words.ts';

interface QueryStateProps {
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** Renders loaded data, a loading state, or the error. */
export function QueryState({ error, isLoading, onRetry, children }: QueryStateProps) {
  if (error)
    return (
      <div role="alert" className="mt-5 flex flex-wrap items-center gap-3 rounded-tile bg-bad-weak px-4 py-3">
        <span className="min-w-0 flex-1 text-bad">{problemText(error)}</span>
        <Button onPress={onRetry}>{words.retry}</Button>
      </div>
    );
  return isLoading ? (
    <p role="status" className="late pt-5 text-text-2">
      {words.loading}
    </p>
  ) : (
    children
  );
}
