import { useMemo, type ReactNode } from 'react';
import { useChartTheme } from '../../dashboard/chart/use-theme.ts';
import { initialsOf } from '../../data/initials.ts';
import type { EditedText } from '../state/document-editor.ts';
import { useEditor } from '../state/editing.ts';
import { words } from '../messages/words.ts';
import { OtherWindowsContext } from './other-windows.ts';
import { usePresence } from './use-presence.ts';

/** Everything below knows which other windows have the document open. */
export function PresenceProvider({
  editor,
  children,
}: {
  readonly editor: EditedText;
  readonly children: ReactNode;
}) {
  const position = useEditor(editor, state => state.selected[0]);
  const windows = usePresence(editor.id, position);
  const { series } = useChartTheme();
  const others = useMemo(
    () =>
      windows.map(({ window, position: at, user }, i) => ({
        window,
        position: at,
        colour: series[(i + 1) % series.length]!,
        name: user?.name ?? words.presence.window(windows.length > 1 ? i + 1 : undefined),
        initials: user && initialsOf(user.name),
      })),
    [windows, series],
  );
  return <OtherWindowsContext value={others}>{children}</OtherWindowsContext>;
}
