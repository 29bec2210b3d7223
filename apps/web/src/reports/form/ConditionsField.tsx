import { labelFrom, type ReportFile } from '@belvedere/document';
import { Checkbox, InlineSelect } from '@belvedere/ui';
import { tileTitle } from '../../dashboard/tiles/describe.ts';
import type { ResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { NumberField } from '../../editor/inspector/NumberField.tsx';
import type { OnEdit } from '../../scheduled/recipient-edits.ts';
import { setKeys } from '../../scheduled/set-keys.ts';
import { words } from '../messages/words.ts';

interface ConditionsFieldProps {
  readonly onlyIf: ReportFile['onlyIf'];
  readonly dashboard: ResolvedDashboard | undefined;
  readonly onEdit: OnEdit;
}

const ages = ['1 hour', '6 hours', '12 hours', '1 day', '2 days', '7 days'] as const;

/** The conditions under which a report is sent. */
export function ConditionsField({ onlyIf, dashboard, onEdit }: ConditionsFieldProps) {
  const { fresh, notEmpty, tile, above, below } = onlyIf ?? {};
  const set = (changes: NonNullable<ReportFile['onlyIf']>, joins?: string) =>
    onEdit(setKeys(['onlyIf'], onlyIf, changes), joins);
  const figures = dashboard ? figuresOf(dashboard) : [];
  const direction = above === undefined && below !== undefined ? 'below' : 'above';
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1 text-12 font-medium text-text-2">{words.editor.onlyIf}</legend>
      <Checkbox isSelected={notEmpty === true} onChange={isOn => set({ notEmpty: isOn ? true : undefined })}>
        {words.editor.notEmpty}
      </Checkbox>
      <div className="grid max-w-md grid-cols-2 items-end gap-3 max-sm:grid-cols-1">
        <InlineSelect
          label={words.editor.fresh}
          value={fresh ?? ''}
          options={[
            { value: '', label: words.editor.freshNever },
            ...[...new Set([...ages, ...(fresh ? [fresh] : [])])].map(value => ({
              value,
              label: words.editor.age(value),
            })),
          ]}
          onChange={value => set({ fresh: value === '' ? undefined : value })}
        />
        {figures.length > 0 || tile !== undefined ? (
          <InlineSelect
            label={words.editor.figure}
            value={tile ?? ''}
            options={[
              { value: '', label: words.editor.anyFigure },
              ...figures,
              ...(tile === undefined || figures.some(({ value }) => value === tile)
                ? []
                : [{ value: tile, label: tile }]),
            ]}
            onChange={value =>
              set(
                value === ''
                  ? { tile: undefined, above: undefined, below: undefined }
                  : { tile: value, ...(tile === undefined && { above: 0 }) },
              )
            }
          />
        ) : null}
      </div>
      {tile === undefined ? null : (
        <div className="grid max-w-md grid-cols-2 gap-3">
          <InlineSelect
            label={words.editor.figureIs}
            value={direction}
            options={(['above', 'below'] as const).map(value => ({
              value,
              label: words.editor.figureDirections[value],
            }))}
            onChange={value => {
              const threshold = above ?? below ?? 0;
              if (value !== direction)
                set(
                  value === 'above'
                    ? { above: threshold, below: undefined }
                    : { above: undefined, below: threshold },
                );
            }}
          />
          <NumberField
            key={direction}
            label={words.editor.threshold}
            value={direction === 'above' ? above : below}
            isRequired
            onChange={value => value !== undefined && set({ [direction]: value }, 'threshold')}
          />
        </div>
      )}
    </fieldset>
  );
}

/** The KPI tiles of a dashboard, which alone are single figures. */
function figuresOf({ document, models }: ResolvedDashboard) {
  return (document?.pages ?? [])
    .flatMap(page => Object.entries(page.tiles))
    .flatMap(([id, tile]) => {
      const model = models.find(({ name }) => name === (tile.model ?? document?.model));
      return tile.kind === 'kpi' ? [{ value: id, label: tileTitle(tile, model) || labelFrom(id) }] : [];
    });
}
