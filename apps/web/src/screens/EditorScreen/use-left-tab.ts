import { useCallback, useState } from 'react';
import type { LeftTab } from '../../editor/panels/EditorPanels.tsx';
import type { DashboardEditor } from '../../editor/state/dashboard-editor.ts';

const setting = 'belvedere-editor-left';

/**
 * The tab of the left panel, remembered in this browser. It begins with the text if that has errors, which can
 * only be fixed there.
 */
export function useLeftTab(editor: DashboardEditor): readonly [LeftTab, (tab: LeftTab) => void] {
  const [tab, setTab] = useState<LeftTab>(() =>
    editor.state.problems.length > 0 || localStorage.getItem(setting) === 'text' ? 'text' : 'list',
  );
  const changeTab = useCallback((next: LeftTab) => {
    setTab(next);
    localStorage.setItem(setting, next);
  }, []);
  return [tab, changeTab];
}
