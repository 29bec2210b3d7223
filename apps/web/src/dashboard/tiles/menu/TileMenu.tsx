import { Menu, type MenuEntry } from '@belvedere/ui';
import { EllipsisVertical } from 'lucide-react';
import { isGuestPage, mayDownload } from '../../../data/session/guest.ts';
import { t } from '../../../messages/messages.ts';
import {
  analysisEntries,
  copyEntries,
  filterEntries,
  viewEntries,
  type TileActions,
} from './tile-entries.tsx';

interface TileMenuProps extends TileActions {
  readonly isOffline: boolean;
}

const offlineItems = ['table', 'large', 'copy-text'];
/** The actions of guests on a tile; the server rejects all others. */
const guestItems = [...offlineItems, 'grain', 'break', 'zoom', 'drill', 'undo'];

/** Everything that can be done with a tile, by mouse, finger or keys. */
export function TileMenu(props: TileMenuProps) {
  return (
    <Menu
      label={t.tile.menu}
      icon={<EllipsisVertical size={15} aria-hidden />}
      groups={() => groupsFor(props)}
    />
  );
}

function groupsFor(props: TileMenuProps): readonly (readonly MenuEntry[])[] {
  const boxes = props.boxesNow();
  const groups = [
    viewEntries(props, boxes),
    analysisEntries(props, boxes),
    filterEntries(props, boxes),
    copyEntries(props),
  ];
  const offered = props.isOffline
    ? offlineItems
    : isGuestPage
      ? [...guestItems, ...(mayDownload() ? ['take', 'copy-picture'] : [])]
      : undefined;
  return offered ? groups.map(group => group.filter(({ id }) => offered.includes(id))) : groups;
}
