/** The part of a measure that a chart needs to format its numbers and to lay out its scale. */
export interface ChartMeasure {
  readonly label: string;
  readonly format?: string;
  readonly unit?: string;
  readonly isAdditive: boolean;
  readonly better?: 'up' | 'down';
}
