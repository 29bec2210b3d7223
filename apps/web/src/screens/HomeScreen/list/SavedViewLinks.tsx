import { searchFromState, type DashboardSummary, type SavedView } from '@belvedere/api';
import { Link } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { t } from '../../../messages/messages.ts';

interface SavedViewLinksProps {
  readonly views: readonly SavedView[];
  readonly dashboards: readonly DashboardSummary[];
}

/** Links to the user's saved views of dashboards. */
export function SavedViewLinks({ views, dashboards }: SavedViewLinksProps) {
  return (
    <section aria-label={t.views.label} className="mt-8">
      <h2 className="text-14 font-semibold">{t.views.label}</h2>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {views.map(view => (
          <li key={`${view.dashboard} ${view.name}`} className="max-w-full">
            <Link
              to="/d/$dashboard"
              params={{ dashboard: view.dashboard }}
              search={searchFromState(view.state)}
              className={
                'flex h-8 max-w-full items-center gap-1.5 rounded-control border border-border bg-surface ' +
                'px-2.5 text-13 hover:border-border-strong pointer-coarse:h-11'
              }
            >
              <Bookmark size={14} className="shrink-0 text-text-3" aria-hidden />
              <span className="truncate font-medium">{view.name}</span>
              <span className="truncate text-text-3">
                {dashboards.find(({ id }) => id === view.dashboard)?.title}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
