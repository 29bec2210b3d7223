import type { DashboardState, OpenDashboard } from '@belvedere/api';
import { Button, Menu, Modal, TextField } from '@belvedere/ui';
import { Bookmark, History } from 'lucide-react';
import { useState } from 'react';
import { removeView, saveView, useMine } from '../data/mine.ts';
import { problemText } from '../data/problem-text.ts';
import { t } from '../messages/messages.ts';
import { searchFromState } from '../url/dashboard-url.ts';
import { fieldLabel } from './describe.ts';

interface OwnViewsProps {
  readonly dashboard: OpenDashboard;
  readonly state: DashboardState;
  readonly onState: (state: DashboardState) => void;
}

/** The reader's own views of a dashboard: going to one, keeping what is seen now under a name. */
export function ViewsMenu({ dashboard, state, onState }: OwnViewsProps) {
  const views = (useMine()?.views ?? []).filter(view => view.dashboard === dashboard.id);
  const [isSaving, setIsSaving] = useState(false);
  const address = addressOf(state);
  const current = views.find(view => addressOf(view.state) === address);
  return (
    <>
      <Menu
        label={t.views.label}
        icon={<Bookmark size={15} fill={current ? 'currentColor' : 'none'} aria-hidden />}
        groups={() => [
          views.map(view => ({ id: `view ${view.name}`, label: view.name, isChecked: view === current, onAction: () => onState(view.state) })),
          [{ id: 'save', label: t.views.save, onAction: () => setIsSaving(true) }],
          current ? [{ id: 'remove', label: t.views.remove(current.name), onAction: () => removeView(dashboard.id, current.name) }] : [],
        ]}
      />
      {isSaving ? <SaveViewDialog taken={views.map(view => view.name)} onSave={name => saveView(dashboard.id, name, state)} onClose={() => setIsSaving(false)} /> : null}
    </>
  );
}

function SaveViewDialog({ taken, onSave, onClose }: { readonly taken: readonly string[]; readonly onSave: (name: string) => Promise<void>; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const name = typed.trim();
  const save = async () => {
    try {
      await onSave(name);
      onClose();
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <Modal label={t.views.save} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <form className="flex flex-col gap-3 p-5" onSubmit={event => { event.preventDefault(); if (name !== '') void save(); }}>
        <h2 className="text-15 font-semibold">{t.views.saveTitle}</h2>
        <p className="text-text-2">{t.views.saveHint}</p>
        <TextField autoFocus label={t.views.name} value={typed} onChange={setTyped} {...(error !== undefined && { error })} />
        {taken.includes(name) ? <p role="status" className="text-12 text-warn">{t.views.replaces}</p> : null}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t.reading.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={name === ''}>{t.views.keep}</Button>
        </div>
      </form>
    </Modal>
  );
}

/** What the reader had set here when they left, to be had again: the dashboard itself opens as its maker made it. */
export function LastTime({ dashboard, onState }: Pick<OwnViewsProps, 'dashboard' | 'onState'>) {
  const state = useMine()?.recent.find(one => one.dashboard === dashboard.id)?.state;
  if (!state) return null;
  const { document, models } = dashboard;
  const set = [
    ...Object.keys(state.filters).map(field => document?.filters?.find(filter => filter.field === field)?.label ?? fieldLabel(models, field)),
    ...Object.keys(state.parameters ?? {}).map(name => document?.parameters?.[name]?.label ?? name),
    ...(state.compare ? [t.filters.compare] : []),
  ];
  return <Button look="quiet" onPress={() => onState(state)}><History size={14} className="shrink-0" aria-hidden /><span className="max-w-64 truncate">{t.views.asLeft(set.join(', '))}</span></Button>;
}

/** The same for the same state, in whatever order it was put together. */
function addressOf(state: DashboardState): string {
  return JSON.stringify(Object.entries(searchFromState(state)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
