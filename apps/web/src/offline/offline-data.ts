import type { DashboardState, OfflineComparison, OpenDashboard } from '@belvedere/api';
import type { GeoJson } from '@belvedere/chart';

/** The data that is embedded in an offline page. Results are frames as the server sends them, in base64. */
export interface OfflineData {
  readonly dashboard: OpenDashboard;
  readonly state: DashboardState;
  /** Facts about the export, as label and text: its filters, the end of its data, its time. */
  readonly about: readonly (readonly [string, string])[];
  readonly locale: string;
  readonly theme: 'light' | 'dark';
  /** The results of each page. */
  readonly pages: readonly string[];
  /** The results of the state's page under the state's selections, if it has any. */
  readonly selected?: string;
  /** Brush indexes, by active tile. */
  readonly indexes: Readonly<Record<string, string>>;
  /** Indexes of KPI comparisons, by active tile and then by KPI tile. */
  readonly comparisons: Readonly<Record<string, Readonly<Record<string, OfflineComparison>>>>;
  /** The workspace's images, by file. Images that could not be embedded are missing. */
  readonly images: Readonly<Record<string, string>>;
  /** The workspace's maps as GeoJSON, by file. */
  readonly maps: Readonly<Record<string, GeoJson>>;
}
