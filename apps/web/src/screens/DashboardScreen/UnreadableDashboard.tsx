import type { OpenDashboard } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { Pencil } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { isEditable } from '../../data/session/permissions.ts';
import { useTables } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { Problems } from './Problems.tsx';

/** A dashboard that cannot be shown yet: the progress of its tables, or its errors. */
export function UnreadableDashboard({ dashboard }: { readonly dashboard: OpenDashboard }) {
  const canEdit = isEditable(dashboard, usePermissions());
  const navigate = useNavigate();
  const isReading = dashboard.state === 'importing';
  // Viewers get no list, since it quotes the file.
  const hasProblems = dashboard.problems.length > 0;
  const { data: tables } = useTables();
  const reading = (tables?.tables ?? []).filter(
    table => table.state === 'importing' || table.state === 'waiting',
  );
  return (
    <div className="mx-auto max-w-2xl pt-16">
      <HeaderTitle title={dashboard.title}>
        <h1 className="truncate text-14 font-semibold">{dashboard.title}</h1>
      </HeaderTitle>
      <h2 className="text-20 font-semibold">
        {isReading ? t.dashboard.importingTitle : t.dashboard.brokenTitle}
      </h2>
      <p role="status" className="pb-3 text-text-2">
        {isReading
          ? t.dashboard.importingText
          : hasProblems
            ? t.dashboard.brokenText
            : t.dashboard.brokenForViewers}
      </p>
      {isReading ? (
        <ul>
          {reading.map(table => (
            <li key={table.name} className="tabular text-text-2">
              {t.dashboard.importingTable(table.name, table.percent)}
            </li>
          ))}
        </ul>
      ) : null}
      {hasProblems && !isReading ? <Problems problems={dashboard.problems} isOpen /> : null}
      {canEdit && !isReading ? (
        <Button
          look="primary"
          className="mt-3"
          onPress={() => void navigate({ to: '/d/$dashboard/edit', params: { dashboard: dashboard.id } })}
        >
          <Pencil size={14} aria-hidden />
          {t.dashboard.edit}
        </Button>
      ) : null}
    </div>
  );
}
