import type { DashboardSummary } from '@belvedere/api';
import { StateChip } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useThemeName } from '../../../dashboard/chart/use-theme.ts';
import { viewAsUrl } from '../../../data/session/view-as.ts';
import { locale, t } from '../../../messages/messages.ts';
import { VerifiedBadge } from '../../../shell/VerifiedBadge.tsx';
import { troubleOf } from './dashboard-trouble.ts';
import { UpdatedTime } from './UpdatedTime.tsx';

interface DashboardCardProps {
  readonly dashboard: DashboardSummary;
  readonly tools: ReactNode;
}

/** A dashboard as a picture, with its description or its last change. */
export function DashboardCard({ dashboard, tools }: DashboardCardProps) {
  const theme = useThemeName();
  const [isDrawn, setIsDrawn] = useState(true);
  const trouble = troubleOf(dashboard);
  const hasPicture = dashboard.state === 'ready' && isDrawn;
  return (
    <div className="overflow-hidden rounded-tile border border-border bg-surface hover:border-border-strong">
      <Link to="/d/$dashboard" params={{ dashboard: dashboard.id }} search={{}} className="block">
        {/* On phones, cards without a picture would be tall empty boxes. */}
        <div
          className={`flex aspect-video items-center justify-center border-b border-border bg-canvas ${hasPicture ? '' : 'max-sm:hidden'}`}
        >
          {hasPicture ? (
            <img
              src={viewAsUrl(
                `/api/v1/dashboards/${encodeURIComponent(dashboard.id)}/thumbnail?theme=${theme}&locale=${locale}&v=${dashboard.revision}`,
              )}
              alt={t.home.thumbnail(dashboard.title)}
              className="size-full object-cover object-top"
              loading="lazy"
              onError={() => setIsDrawn(false)}
            />
          ) : (
            <ChartColumn size={28} aria-hidden className="text-border-strong" />
          )}
        </div>
        <p className="flex items-center px-3 pt-2 font-medium">
          <span className="truncate">{dashboard.title}</span>
          <VerifiedBadge record={dashboard.record} />
        </p>
      </Link>
      <div className="flex h-9 items-center ps-3 pe-1 text-12 text-text-2 pointer-coarse:h-12">
        <span className="min-w-0 flex-1 truncate">
          {trouble ? (
            <StateChip tone={trouble.tone}>{trouble.text}</StateChip>
          ) : (
            (dashboard.description ??
            (dashboard.updated ? <UpdatedTime dashboard={dashboard} /> : t.states[dashboard.origin]))
          )}
        </span>
        {tools}
      </div>
    </div>
  );
}
