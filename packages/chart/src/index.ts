export { hasParts, isChartTile } from './chart.ts';
export type {
  ChannelAxis,
  Chart,
  ChartInput,
  ChartMeasure,
  ChartPoint,
  ChartTile,
  IsSelected,
  Panel,
  Target,
} from './chart.ts';
export { comparisonText, latestChange, shortUnit, type ComparisonText } from './text/comparison-text.ts';
export { targetOf, targetText, type TargetText } from './text/target-text.ts';
export {
  describeCondition,
  describeMoment,
  describeSelection,
  describeTimes,
} from './text/describe-condition.ts';
export { chartTitle } from './text/chart-title.ts';
export { spaceLatin } from './text/space-latin.ts';
export { drawChart } from './draw-chart.ts';
export { annotationsAt } from './guides/annotations.ts';
export { hasLegend, legendTitle } from './guides/axis-options.ts';
export { legendEntries, symbolPath, type LegendEntry } from './marks/symbols.ts';
export * from './text/format.ts';
export { formatList } from './text/format-list.ts';
export { positionName } from './guides/place-axis.ts';
export { accentStyles, withLook } from './theme/theme-file.ts';
export { hasMarks, loadMarks } from './lazy-marks.ts';
export { partOfTable, tileNotes } from './text/tile-notes.ts';
export { undrawnRows } from './rows/undrawn-rows.ts';
export {
  isBuiltIn,
  loadShapes,
  regionKey,
  shapesFromGeoJson,
  type GeoJson,
  type MapShapes,
} from './map-shapes.ts';
export { seriesOf } from './marks/series.ts';
export { fontFamily, paintCanvas } from './paint/canvas.ts';
export { paintGroup, paintSvg } from './paint/svg.ts';
export { colourScale, type ColourScale } from './scales/colour.ts';
export type { PositionScale } from './scales/position.ts';
export { layerLabel, measureText } from './text/measure-label.ts';
export { parameterText } from './text/parameter-label.ts';
export { flatten, type Mark, type Rectangle, type Size } from './scene.ts';
export { extentOf } from './guides/value-axis.ts';
export { hiddenShape, isHidden, pointsOfRows } from './rows/row-points.ts';
export { drawSpark, selectedSeries } from './spark.ts';
export { summarize } from './text/summary.ts';
export * from './theme/theme.ts';
export { fitText, textWidth } from './text/text-width.ts';
export { chartMessagesIn, type ChartMessages } from './text/chart-messages.ts';
export * from './rows/pivot.ts';
export { dataTableRows, type DataTableRow } from './rows/data-table.ts';
