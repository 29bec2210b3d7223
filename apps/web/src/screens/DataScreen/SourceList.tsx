import type { SourceSummary } from '@belvedere/api';
import { StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/messages.ts';

const tones = {
  unconfirmed: 'warn',
  paused: 'neutral',
  ready: 'good',
  degraded: 'warn',
  connecting: 'warn',
  unchecked: 'warn',
  failed: 'bad',
} as const;

/** The databases, each with how it is and what troubles it. */
export function SourceList({ sources }: { readonly sources: readonly SourceSummary[] }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {sources.map(source => (
        <li key={source.name} className="min-w-0 rounded-tile border border-border bg-surface px-4 py-3">
          <div className="flex items-center justify-between gap-2">
            <Link
              to="/data/sources/$source"
              params={{ source: source.name }}
              className="truncate text-14 font-semibold hover:underline"
            >
              {source.label}
            </Link>
            <SourceStateChip source={source} />
          </div>
          <p className="truncate text-12 text-text-2">
            {[source.server ?? t.sources.kinds[source.kind], source.host].filter(Boolean).join(' · ')}
          </p>
          {source.unconfirmed ? null : (
            <p className="text-12 text-text-2">{t.sources.tables(source.tables)}</p>
          )}
          {source.unconfirmed ? (
            <p className="pt-1 text-12 wrap-anywhere">
              {t.sources.access(source.unconfirmed.access)}{' '}
              <Link
                to="/data/sources/$source"
                params={{ source: source.name }}
                className="text-accent-text underline"
              >
                {t.sources.review}
              </Link>
            </p>
          ) : null}
          {source.pausedFor === undefined ? null : (
            <p className="pt-1 text-12 text-text-2 wrap-anywhere">{source.pausedFor}</p>
          )}
          {source.problem ? <p className="pt-1 text-12 text-bad">{source.problem.message}</p> : null}
        </li>
      ))}
    </ul>
  );
}

export function SourceStateChip({ source }: { readonly source: SourceSummary }) {
  return <StateChip tone={tones[source.state]}>{t.sources.states[source.state]}</StateChip>;
}
