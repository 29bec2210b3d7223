import type { DashboardState, OfflineComparison, OpenDashboard } from '@belvedere/api';
import type { GeoJson } from '@belvedere/chart';

/**
 * What a dashboard taken away as a page carries with it. Frames are as on the wire, one after the other, in
 * base64.
 */
export interface OfflineData {
  readonly dashboard: OpenDashboard;
  readonly state: DashboardState;
  /** What it was filtered by, where its data ends, when it was made: a name and what it is. */
  readonly about: readonly (readonly [string, string])[];
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  /** The answers of each page. */
  readonly answers: readonly string[];
  /** For a tile that can be brushed: how all others of its page follow. */
  readonly indexes: Readonly<Record<string, string>>;
  /** For a tile that can be brushed: how the comparisons of the figures on its page follow. */
  readonly comparisons: Readonly<Record<string, Readonly<Record<string, OfflineComparison>>>>;
  /** The workspace's own pictures, by their files; those that could not come along are missing. */
  readonly images: Readonly<Record<string, string>>;
  /** The workspace's own maps, as GeoJSON, by their files. */
  readonly maps: Readonly<Record<string, GeoJson>>;
}
