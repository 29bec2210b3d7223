import type { ReportFile } from '@belvedere/document';
import { Button } from '@belvedere/ui';
import { Trash2 } from 'lucide-react';
import type { ResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { FiltersField } from '../../scheduled/FiltersField.tsx';
import type { OnEdit } from '../../scheduled/recipient-edits.ts';
import { RecipientsField } from '../../scheduled/RecipientsField.tsx';
import { RecipientSearch } from '../../scheduled/RecipientSearch.tsx';
import { words } from '../messages/words.ts';

interface BurstsFieldProps {
  readonly each: ReportFile['each'];
  readonly dashboard: ResolvedDashboard | undefined;
  readonly onEdit: OnEdit;
}

/** Lists of recipients who get the dashboard under filters of their own. */
export function BurstsField({ each = [], dashboard, onEdit }: BurstsFieldProps) {
  return (
    <section aria-label={words.editor.each} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-12 font-medium text-text-2">{words.editor.each}</h2>
      <p className="text-12 text-text-2">{words.editor.eachHint}</p>
      {each.map(({ to, filters }, i) => (
        <section
          // Lists have no names, and are only appended and removed.
          key={i}
          aria-label={words.editor.list(i + 1)}
          className="flex flex-col gap-3 rounded-tile border border-border bg-surface p-3"
        >
          <div className="flex items-center justify-between gap-2">
            <h3 className="text-13 font-semibold">{words.editor.list(i + 1)}</h3>
            <Button
              look="quiet"
              aria-label={words.editor.removeList(i + 1)}
              onPress={() => onEdit([{ kind: 'remove', path: each.length === 1 ? ['each'] : ['each', i] }])}
            >
              <Trash2 size={14} aria-hidden />
              {words.editor.remove}
            </Button>
          </div>
          <RecipientsField path={['each', i, 'to']} recipients={to} isRequired empty="" onEdit={onEdit} />
          {dashboard?.document ? (
            <FiltersField
              path={['each', i, 'filters']}
              filters={filters}
              dashboard={dashboard}
              isRequired
              onEdit={onEdit}
            />
          ) : null}
        </section>
      ))}
      <RecipientSearch
        label={words.editor.addList}
        added={[]}
        onChoose={recipient => {
          const list = { to: [recipient], filters: {} };
          onEdit([
            each.length === 0
              ? { kind: 'set', path: ['each'], value: [list] }
              : { kind: 'insert', path: ['each', each.length], value: list },
          ]);
        }}
      />
    </section>
  );
}
