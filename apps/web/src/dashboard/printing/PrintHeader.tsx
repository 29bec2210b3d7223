import type { DashboardState, ModelSummary } from '@belvedere/api';
import { formatDay } from '@belvedere/chart';
import type { Dashboard } from '@belvedere/document';
import { parseCalendarTime } from '@belvedere/query';
import { locale, t } from '../../messages/messages.ts';
import { describeBoxes, describeCondition, fieldFormat, fieldLabel, tileTitle } from '../tiles/describe.ts';
import { useIsPrinting } from './printing.ts';

interface PrintHeaderProps {
  readonly document: Dashboard;
  readonly models: readonly ModelSummary[];
  readonly state: DashboardState;
  readonly dataTime: string | undefined;
  readonly zone: string;
}

/** What replaces the header and the filter bar on paper: title, filters and the date of the data. */
export function PrintHeader({ document, models, state, dataTime, zone }: PrintHeaderProps) {
  if (!useIsPrinting()) return null;
  const page = document.pages[Math.min(state.page, document.pages.length - 1)]!;
  const made = Object.fromEntries(
    (document.filters ?? []).flatMap(({ field, default: condition }) =>
      condition ? [[field, condition]] : [],
    ),
  );
  const filters = Object.entries({ ...made, ...state.filters }).flatMap(([field, condition]) =>
    condition
      ? [
          `${document.filters?.find(filter => filter.field === field)?.label ?? fieldLabel(models, field)}: ${describeCondition(condition, fieldFormat(models, field))}`,
        ]
      : [],
  );
  const selected = Object.entries(state.selections).flatMap(([id, boxes]) => {
    const tile = document.pages.map(one => one.tiles[id]).find(found => found !== undefined);
    return tile && boxes.length > 0
      ? [
          t.filters.selected(
            tileTitle(
              tile,
              models.find(model => model.name === (tile.model ?? document.model)),
            ),
            describeBoxes(boxes, models),
          ),
        ]
      : [];
  });
  const about = [
    ...filters,
    ...selected,
    ...(dataTime ? [t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))] : []),
    t.dashboard.zone(zone),
  ];
  return (
    <div className="hidden pb-2 print:block">
      <p className="text-15 font-semibold">
        {document.title}
        {document.pages.length > 1 ? ` · ${page.title}` : ''}
      </p>
      <p className="text-12 text-text-2">{about.join(' · ')}</p>
    </div>
  );
}
