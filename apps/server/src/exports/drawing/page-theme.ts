import type { ChartTheme } from '@belvedere/chart';
import type { NotedEvent } from '@belvedere/query';

/** The look of a drawn page, and what its drawing reads besides the data. */
export interface PageTheme {
  readonly theme: ChartTheme;
  readonly canvas: string;
  readonly locale: string;
  /** The workspace's folder, for its images. */
  readonly root: string;
  /** Event notes to draw on time charts. */
  readonly notes: readonly NotedEvent[];
  /** A tile whose query was interrupted is drawn with its error. Otherwise nothing is drawn, and the error names the tile. */
  readonly drawsInterruptions?: boolean;
}
