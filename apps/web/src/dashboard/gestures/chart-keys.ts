import type { Key } from '../../keys/keys.ts';
import { t } from '../../messages/messages.ts';

/**
 * What a chart hears while it has the focus, for the list of keys; in the viewer's language, which is not
 * known before the page begins.
 */
export const chartKeys = (): readonly Key[] => [
  { press: 'Arrows', label: t.keys.walk },
  { press: 'Enter', label: t.keys.select },
  { press: 'Shift+Arrows', label: t.keys.brush },
  { press: '$mod+Enter', label: t.keys.open },
  { press: '+', label: t.keys.closer },
  { press: '-', label: t.keys.farther },
  { press: 'PageDown', label: t.keys.panels },
  { press: 't', label: t.tile.asTable },
  { press: 'Escape', label: t.tile.clear },
];

/** What a tile hears while it has the focus, and what gives it that. */
export const tileKeys = (): readonly Key[] => [
  { press: 'Escape', label: t.keys.toTile },
  { press: 'Arrows', label: t.keys.moveTileFocus },
  { press: 'Enter', label: t.keys.intoTile },
];
