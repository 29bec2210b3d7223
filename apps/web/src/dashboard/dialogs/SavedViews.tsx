import { searchFromState, type DashboardState, type OpenDashboard } from '@belvedere/api';
import { Button, LazyBoundary, lazyComponent, type MenuEntry } from '@belvedere/ui';
import { History } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { withoutOwnZone } from '../../data/session/own-zone.ts';
import { removeView, saveView, useMe } from '../../data/session/user-preferences.ts';
import { viewedAs } from '../../data/session/view-as.ts';
import { t } from '../../messages/messages.ts';
import { fieldLabel } from '../tiles/describe.ts';

const SaveViewDialog = lazyComponent(() =>
  import('./SaveViewDialog.tsx').then(module => module.SaveViewDialog),
);

interface SavedViewsProps {
  readonly dashboard: OpenDashboard;
  readonly state: DashboardState;
  readonly onState: (state: DashboardState) => void;
}

/** The menu of the user's saved views: opens one, or saves the current state under a name. */
export function useViews({ dashboard, state, onState }: SavedViewsProps): {
  readonly groups: readonly (readonly MenuEntry[])[];
  readonly isOnOne: boolean;
  readonly dialog: ReactNode;
} {
  const views = (useMe()?.views ?? []).filter(view => view.dashboard === dashboard.id);
  const [isSaving, setIsSaving] = useState(false);
  const kept = withoutOwnZone(state);
  const address = addressOf(kept);
  const current = views.find(view => addressOf(withoutOwnZone(view.state)) === address);
  return {
    groups:
      viewedAs !== undefined
        ? []
        : [
            views.map(view => ({
              id: `view ${view.name}`,
              label: view.name,
              isChecked: view === current,
              onAction: () => onState(view.state),
            })),
            [{ id: 'save', label: t.views.save, onAction: () => setIsSaving(true) }],
            current
              ? [
                  {
                    id: 'remove',
                    label: t.views.remove(current.name),
                    onAction: () => removeView(dashboard.id, current.name),
                  },
                ]
              : [],
          ],
    isOnOne: current !== undefined,
    dialog: isSaving ? (
      <LazyBoundary fallback={null}>
        <SaveViewDialog
          taken={views.map(view => view.name)}
          onSave={name => saveView(dashboard.id, name, kept)}
          onClose={() => setIsSaving(false)}
        />
      </LazyBoundary>
    ) : null,
  };
}

/** Offers the state in which the user left the dashboard, which opens in its saved state. */
export function LastTime({ dashboard, onState }: Pick<SavedViewsProps, 'dashboard' | 'onState'>) {
  const state = useMe()?.recent.find(one => one.dashboard === dashboard.id)?.state;
  if (!state) return null;
  const { document, models } = dashboard;
  const set = [
    ...Object.keys(state.filters).map(
      field => document?.filters?.find(filter => filter.field === field)?.label ?? fieldLabel(models, field),
    ),
    ...Object.keys(state.parameters ?? {}).map(name => document?.parameters?.[name]?.label ?? name),
    ...(state.compare ? [t.filters.compare] : []),
  ];
  return (
    <Button look="quiet" onPress={() => onState(state)}>
      <History size={14} className="shrink-0" aria-hidden />
      <span className="max-w-64 truncate">{t.views.restoreLast(set.join(', '))}</span>
    </Button>
  );
}

/** A key that is equal for equal states, whatever the order of their parts. */
function addressOf(state: DashboardState): string {
  return JSON.stringify(Object.entries(searchFromState(state)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
