/** What a chart must know of a measure to write its numbers and to lay out its scale. */
export interface ChartMeasure {
  readonly label: string;
  readonly format?: string;
  readonly unit?: string;
  readonly isAdditive: boolean;
  readonly better?: 'up' | 'down';
}
