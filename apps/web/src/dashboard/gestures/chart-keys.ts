import type { Key } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';

/**
 * The shortcuts of a focused chart, for the list of shortcuts. A function, because the user's language is not
 * known when the module loads.
 */
export const chartKeys = (): readonly Key[] => [
  { press: 'Arrows', label: t.keys.walk },
  { press: 'Enter', label: t.keys.select },
  { press: 'Shift+Arrows', label: t.keys.brush },
  { press: '$mod+Enter', label: t.keys.open },
  { press: '+', label: t.keys.zoomIn },
  { press: '-', label: t.keys.zoomOut },
  { press: 'PageDown', label: t.keys.panels },
  { press: 't', label: t.tile.asTable },
  { press: 'Escape', label: t.tile.clear },
];

/** The shortcuts of a focused tile, and how to focus one. */
export const tileKeys = (): readonly Key[] => [
  { press: 'Escape', label: t.keys.toTile },
  { press: 'Arrows', label: t.keys.moveTileFocus },
  { press: 'Enter', label: t.keys.intoTile },
];
