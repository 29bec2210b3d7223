import type { DashboardState, ModelSummary } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { Modal } from '@belvedere/ui';
import { t } from '../../messages/messages.ts';
import { describeBoxes } from '../tiles/describe.ts';
import { RowsTable } from '../tiles/table/RowsTable.tsx';

interface RowsDialogProps {
  readonly dashboard: string;
  readonly tile: string;
  readonly title: string;
  readonly state: DashboardState;
  /** The mark whose rows are wanted; all of the tile's without one. */
  readonly mark: Box | undefined;
  readonly model: ModelSummary | undefined;
  readonly onClose: () => void;
}

/** The rows that a figure was made of. */
export function RowsDialog({ dashboard, tile, title, state, mark, model, onClose }: RowsDialogProps) {
  return (
    <Modal label={t.tile.rows} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-5xl">
      <div className="flex h-[70vh] flex-col gap-2 p-4">
        <h2 className="text-15 font-semibold">{t.tile.rowsOf(title)}</h2>
        {mark ? <p className="text-12 text-text-2">{describeBoxes([mark], model ? [model] : [])}</p> : null}
        <RowsTable
          dashboard={dashboard}
          tile={tile}
          title={title}
          state={state}
          mark={mark ?? {}}
          first={undefined}
          look={{
            formats: Object.fromEntries(
              (model?.dimensions ?? []).map(dimension => [dimension.name, dimension.format]),
            ),
          }}
        />
      </div>
    </Modal>
  );
}
