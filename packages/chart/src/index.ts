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
export { comparisonText, latestChange, shortUnit, type ComparisonText } from './comparison-text.ts';
export { targetOf, targetText, type TargetText } from './target-text.ts';
export { describeCondition, describeMoment, describeSelection, describeTimes } from './describe-condition.ts';
export { chartTitle } from './chart-title.ts';
export { spaceLatin } from './space-latin.ts';
export { drawChart } from './draw-chart.ts';
export { annotationsAt } from './guides/annotations.ts';
export { hasLegend, legendTitle } from './guides/axis-options.ts';
export { legendEntries, symbolPath, type LegendEntry } from './marks/symbols.ts';
export * from './format.ts';
export { formatList } from './format-list.ts';
export { positionName } from './guides/place-axis.ts';
export { accentStyles, withLook } from './theme-file.ts';
export { hasMarks, loadMarks } from './lazy-marks.ts';
export { tileNotes } from './tile-notes.ts';
export { undrawnRows } from './undrawn-rows.ts';
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
export { layerLabel, measureText } from './measure-label.ts';
export { parameterText } from './parameter-label.ts';
export { flatten, type Mark, type Rectangle, type Size } from './scene.ts';
export { extentOf } from './guides/value-axis.ts';
export { hiddenShape, isHidden, pointsOfRows } from './row-points.ts';
export { drawSpark, selectedSeries } from './spark.ts';
export { summarize } from './summary.ts';
export * from './theme.ts';
export { fitText, textWidth } from './text-width.ts';
export { chartMessagesIn, type ChartMessages } from './chart-messages.ts';
export * from './pivot.ts';
export { dataTableRows, type DataTableRow } from './data-table.ts';
