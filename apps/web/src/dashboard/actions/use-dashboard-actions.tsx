import type { DashboardState, DashboardSummary } from '@belvedere/api';
import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { BadgeCheck, Copy, Download, FolderInput, PencilLine, Share2, SquarePen, Trash2 } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { lazyWithWords } from '../../accounts/lazy-with-words.ts';
import { isAllowed, isEditable, isShareable } from '../../data/session/permissions.ts';
import { problemText } from '../../data/problem-text.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { downloadDashboard } from '../../downloads/download-dashboard.ts';
import { announceFailed } from '../../downloads/download-store.ts';
import { t } from '../../messages/messages.ts';
import { ShareDialog } from '../../shell/ShareButton.tsx';

const ChangeDashboardDialog = lazyComponent(() =>
  import('./ChangeDashboardDialog.tsx').then(module => module.ChangeDashboardDialog),
);

const RecordDialog = lazyWithWords(() =>
  import('../../accounts/sharing/RecordDialog.tsx').then(module => module.RecordDialog),
);

const load = () => import('./change-dashboard.ts');
const attempt = (work: () => Promise<unknown>) =>
  void work().catch((error: unknown) => announceFailed(problemText(error)));

export interface DashboardAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly onAction?: () => void;
  readonly entries?: readonly DashboardAction[];
}

type Acted = Pick<DashboardSummary, 'id' | 'title' | 'origin' | 'state' | 'level'>;

const atStart: DashboardState = { page: 0, filters: {}, selections: {} };
const size = 15;

/**
 * The actions of this user on a whole dashboard: rename, duplicate, move, share, export, trash. Editing an
 * overview saves a copy first.
 */
export function useDashboardActions(onMoved?: (id: string) => void): {
  readonly changesOf: (dashboard: Acted) => readonly DashboardAction[];
  readonly share: (dashboard: Acted) => readonly DashboardAction[];
  /** Its owner and its verification. */
  readonly record: (dashboard: Acted) => readonly DashboardAction[];
  readonly exportsOf: (dashboard: Acted) => DashboardAction;
  readonly remove: (dashboard: Acted, onDone?: () => void) => readonly DashboardAction[];
  readonly edit: (dashboard: Acted) => void;
  readonly dialog: ReactNode;
} {
  const navigate = useNavigate();
  const permissions = usePermissions();
  const [openDialog, setOpenDialog] = useState<Acted & { readonly change: 'rename' | 'move' }>();
  const [shared, setShared] = useState<Acted>();
  const [recorded, setRecorded] = useState<Acted>();
  const toDashboard = (id: string) =>
    navigate({ to: '/d/$dashboard', params: { dashboard: id }, search: {} });
  const edit = useCallback(
    (dashboard: Acted) =>
      attempt(async () => {
        const id =
          dashboard.origin === 'overview' ? await (await load()).copyOverview(dashboard.id) : dashboard.id;
        await navigate({ to: '/d/$dashboard/edit', params: { dashboard: id } });
      }),
    [navigate],
  );
  return {
    edit,
    changesOf: dashboard =>
      !isEditable(dashboard, permissions)
        ? []
        : dashboard.origin === 'overview'
          ? [
              {
                id: 'edit',
                label: t.actions.editCopy,
                icon: <SquarePen size={size} aria-hidden />,
                onAction: () => edit(dashboard),
              },
            ]
          : [
              {
                id: 'rename',
                label: t.actions.renameMenu,
                icon: <PencilLine size={size} aria-hidden />,
                onAction: () => setOpenDialog({ ...dashboard, change: 'rename' }),
              },
              {
                id: 'duplicate',
                label: t.actions.duplicate,
                icon: <Copy size={size} aria-hidden />,
                onAction: () =>
                  attempt(async () =>
                    toDashboard(await (await load()).duplicateDashboard(dashboard.id, dashboard.title)),
                  ),
              },
              {
                id: 'move',
                label: t.actions.moveMenu,
                icon: <FolderInput size={size} aria-hidden />,
                onAction: () => setOpenDialog({ ...dashboard, change: 'move' }),
              },
            ],
    share: dashboard =>
      isShareable(dashboard, permissions)
        ? [
            {
              id: 'share',
              label: t.sharing.menu,
              icon: <Share2 size={size} aria-hidden />,
              onAction: () => setShared(dashboard),
            },
          ]
        : [],
    record: dashboard =>
      isShareable(dashboard, permissions)
        ? [
            {
              id: 'record',
              label: t.sharing.record,
              icon: <BadgeCheck size={size} aria-hidden />,
              onAction: () => setRecorded(dashboard),
            },
          ]
        : [],
    exportsOf: dashboard => ({
      id: 'export',
      label: t.dashboard.export,
      icon: <Download size={size} aria-hidden />,
      entries: (['pdf', 'png', 'svg', 'xlsx', 'html'] as const).map(format => ({
        id: format,
        label: t.formats[format],
        icon: null,
        onAction: () => downloadDashboard(dashboard.id, format, atStart),
      })),
    }),
    remove: (dashboard, onDone) =>
      dashboard.origin === 'overview' || !permissions.create || !isAllowed(dashboard, 'manage')
        ? []
        : [
            {
              id: 'trash',
              label: t.actions.trash,
              icon: <Trash2 size={size} aria-hidden />,
              onAction: () =>
                attempt(async () => {
                  await (await load()).removeDashboard(dashboard.id, dashboard.title);
                  onDone?.();
                }),
            },
          ],
    dialog: shared ? (
      <LazyBoundary fallback={null}>
        <ShareDialog
          shared={{ kind: 'dashboard', id: shared.id, label: shared.title }}
          address={`/d/${encodeURIComponent(shared.id)}`}
          onClose={() => setShared(undefined)}
        />
      </LazyBoundary>
    ) : recorded ? (
      <LazyBoundary fallback={null}>
        <RecordDialog dashboard={recorded.id} title={recorded.title} onClose={() => setRecorded(undefined)} />
      </LazyBoundary>
    ) : openDialog ? (
      <LazyBoundary fallback={null}>
        <ChangeDashboardDialog
          change={openDialog.change}
          id={openDialog.id}
          title={openDialog.title}
          onDone={id => {
            setOpenDialog(undefined);
            if (id !== openDialog.id) onMoved?.(id);
          }}
          onClose={() => setOpenDialog(undefined)}
        />
      </LazyBoundary>
    ) : null,
  };
}
