import { withParameter } from '@belvedere/api';
import type { FieldFilter } from '@belvedere/query';
import { FilterBar } from '../../dashboard/filters/FilterBar.tsx';
import { useResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { useEditing, useEditor } from '../../editor/state/editing.ts';
import { useSettled } from '../../live/use-live.ts';

/** The filter bar of the edited dashboard. It filters the canvas and changes nothing in the document. */
export function PreviewFilterBar() {
  const { editor } = useEditing();
  const { live, dashboard } = useEditor(editor, state => state.shown);
  const { state, applied, dataTime } = useSettled(live);
  const resolved = useResolvedDashboard(dashboard, state);
  const onFilter = (field: string, condition: FieldFilter | null | undefined) => {
    const { [field]: _, ...others } = state.filters;
    editor.setState({
      ...state,
      filters: condition === undefined ? others : { ...others, [field]: condition },
    });
  };
  return (
    <FilterBar
      live={live}
      selecting="nothing"
      dashboard={resolved}
      onParameter={(name, value) => editor.setState(withParameter(state, name, value))}
      state={state}
      applied={applied}
      dataTime={dataTime}
      onFilter={onFilter}
      onReset={() => editor.setState({ page: state.page, filters: {}, selections: {} })}
      onClearSelection={() => {}}
    />
  );
}
