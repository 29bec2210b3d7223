import { Button } from '@belvedere/ui';
import { useMemo } from 'react';
import { starterTile } from '../encoding/field-profiles.ts';
import { words } from '../messages/words.ts';
import { addTile, type Change } from '../state/commands.ts';
import { run, useEditing } from '../state/editing.ts';

/** Shown on a page without tiles: offers some to start with. */
export function EmptyCanvas() {
  const { editor, profiles } = useEditing();
  const starts = useMemo(() => {
    if (!profiles) return [];
    return (['kpi', 'line', 'bar', 'table'] as const).flatMap(kind => {
      const tile = starterTile(kind, profiles);
      return tile ? [{ kind, tile }] : [];
    });
  }, [profiles]);
  const add = (change: (before: typeof editor.state.document) => Change) =>
    run(editor, words.steps.add, change(editor.state.document));
  return (
    <div className="absolute inset-x-0 top-6 mx-auto max-w-lg rounded-tile border border-dashed border-border-strong bg-surface px-6 py-8 text-center">
      <h2 className="text-15 font-semibold">{words.canvas.emptyTitle}</h2>
      <p className="mt-1 text-text-2">{words.canvas.emptyText}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {starts.map(({ kind, tile }) => (
          <Button key={kind} onPress={() => add(document => addTile(document, editor.state.page, tile))}>
            {words.kinds[kind]}
          </Button>
        ))}
      </div>
    </div>
  );
}
