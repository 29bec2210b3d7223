import type { RelatedTable, TableRelationship } from '@belvedere/api';
import { IconButton } from '@belvedere/ui';
import { KeyRound, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import {
  boxWidth,
  columnHeight,
  farLines,
  headHeight,
  layoutTables,
  neighbourOf,
  type Link,
  type LinkEnd,
  type TableBox,
} from './diagram-layout.ts';
import { words } from './messages/words.ts';
import { count, matchText, nameOf, reasonText } from './relationship-texts.ts';
import { usePanZoom } from './use-pan-zoom.ts';

/** What is chosen: a table by its name, or a relationship by its key. */
export type Chosen =
  | { readonly kind: 'table'; readonly name: string }
  | { readonly kind: 'link'; readonly key: string };

/** A column of a table. */
export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
}

interface RelationshipDiagramProps {
  readonly tables: readonly RelatedTable[];
  /** Those that are drawn. */
  readonly relationships: readonly TableRelationship[];
  readonly chosen: Chosen | undefined;
  readonly onChoose: (chosen: Chosen | undefined) => void;
  /** Called when one column was dragged to another; without it, columns cannot be dragged. */
  readonly onConnect?: ((from: ColumnPlace, to: ColumnPlace) => void) | undefined;
}

/** Below this scale the columns of tables cannot be read, so that boxes show their names alone, in larger letters. */
const farScale = 0.5;
/** A chosen table is shown at this scale at least. */
const readableScale = 0.5;

/** Tables as boxes with their key columns, and lines with crow's feet between them. */
export function RelationshipDiagram(props: RelationshipDiagramProps) {
  const { tables, relationships, chosen, onChoose, onConnect } = props;
  const diagram = useMemo(() => layoutTables(tables, relationships), [tables, relationships]);
  const { element, view, fit, zoom, reveal, placeOf, panning } = usePanZoom(diagram);
  const drag = useDraggedColumn(placeOf, onConnect);
  const related = relatedTo(chosen, diagram.links);
  const box = chosen?.kind === 'table' && diagram.boxes.find(({ table }) => table.name === chosen.name);
  useEffect(() => {
    if (box) reveal({ ...box, width: boxWidth }, readableScale);
  }, [box, reveal]);
  const isFaded = (isNear: boolean) => chosen !== undefined && !isNear;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') zoom(1.25);
    else if (event.key === '-') zoom(0.8);
    else if (event.key === '0') fit();
    else if (event.key === 'Escape') onChoose(undefined);
    else return;
    event.preventDefault();
  };
  const onTableKey = (event: KeyboardEvent, { table }: TableBox) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return onChoose({ kind: 'table', name: table.name });
    }
    if (!/^Arrow(?:Left|Right|Up|Down)$/.test(event.key)) return;
    event.preventDefault();
    const next = neighbourOf(diagram, table.name, event.key as 'ArrowLeft');
    if (next !== undefined)
      element.current?.querySelector<SVGRectElement>(`[data-box="${CSS.escape(next)}"]`)?.focus();
  };
  return (
    <div className="relative min-w-0 flex-1" onKeyDown={onKeyDown}>
      <svg
        ref={element}
        role="group"
        aria-label={words.diagramLabel(diagram.boxes.length, diagram.links.length)}
        className="h-full w-full cursor-grab touch-none rounded-tile border border-border bg-surface select-none active:cursor-grabbing"
        {...panning}
        onClick={event => event.target === event.currentTarget && onChoose(undefined)}
      >
        <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
          {diagram.links.map(link => (
            <Line
              key={link.key}
              link={link}
              isChosen={chosen?.kind === 'link' && chosen.key === link.key}
              isFaded={isFaded(related.links.has(link.key))}
              onPress={() => onChoose({ kind: 'link', key: link.key })}
            />
          ))}
          {diagram.boxes.map(box => (
            <g key={box.table.name}>
              {/* What is seen is for the pointer; the button around it is for the keyboard and has a name. */}
              <g
                aria-hidden
                className="group cursor-pointer"
                opacity={isFaded(related.tables.has(box.table.name)) ? 0.35 : 1}
                onClick={() => onChoose({ kind: 'table', name: box.table.name })}
              >
                <Box
                  box={box}
                  isChosen={chosen?.kind === 'table' && chosen.name === box.table.name}
                  farScale={view.scale < farScale ? view.scale : undefined}
                  onGrab={drag.onGrab}
                />
              </g>
              <rect
                role="button"
                tabIndex={0}
                data-box={box.table.name}
                aria-label={describeTable(box.table, diagram.links)}
                aria-pressed={chosen?.kind === 'table' && chosen.name === box.table.name}
                x={box.x - 3}
                y={box.y - 3}
                width={boxWidth + 6}
                height={box.height + 6}
                rx={10}
                className="pointer-events-none fill-none stroke-transparent stroke-2 outline-none focus-visible:stroke-accent"
                onFocus={() => reveal({ ...box, width: boxWidth })}
                onKeyDown={event => onTableKey(event, box)}
                onClick={() => onChoose({ kind: 'table', name: box.table.name })}
              />
              {diagram.links
                .filter(({ relationship }) => relationship.from.table === box.table.name)
                .map(link => (
                  <path
                    key={link.key}
                    role="button"
                    tabIndex={0}
                    d={link.path}
                    aria-label={describeLink(link.relationship)}
                    aria-pressed={chosen?.kind === 'link' && chosen.key === link.key}
                    className="pointer-events-none fill-none stroke-transparent stroke-[6] outline-none focus-visible:stroke-accent/40"
                    onFocus={() => reveal(extentOf(link))}
                    onKeyDown={event => {
                      if (event.key !== 'Enter' && event.key !== ' ') return;
                      event.preventDefault();
                      onChoose({ kind: 'link', key: link.key });
                    }}
                  />
                ))}
            </g>
          ))}
          {drag.line ? (
            <path d={drag.line} className="pointer-events-none fill-none stroke-accent stroke-2" />
          ) : null}
        </g>
      </svg>
      <div className="absolute end-2 bottom-2 flex rounded-control border border-border bg-surface">
        <IconButton label={words.zoomOut} onPress={() => zoom(0.8)}>
          <ZoomOut size={16} aria-hidden />
        </IconButton>
        <IconButton label={words.zoomIn} onPress={() => zoom(1.25)}>
          <ZoomIn size={16} aria-hidden />
        </IconButton>
        <IconButton label={words.fit} onPress={fit}>
          <Maximize size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

/** One column dragged to another: while it lasts, a line follows the pointer. */
function useDraggedColumn(
  placeOf: (event: Pick<PointerEvent, 'clientX' | 'clientY'>) => { readonly x: number; readonly y: number },
  onConnect: RelationshipDiagramProps['onConnect'],
) {
  const [line, setLine] = useState<string>();
  const dragStart = useRef<{ readonly column: ColumnPlace; readonly x: number; readonly y: number }>(
    undefined,
  );
  const onGrab = onConnect
    ? (event: PointerEvent<SVGGElement>, column: ColumnPlace) => {
        if (event.button !== 0 || event.pointerType === 'touch') return;
        dragStart.current = { column, ...placeOf(event) };
        const move = (moved: globalThis.PointerEvent) => {
          const { x, y } = placeOf(moved);
          setLine(`M${dragStart.current!.x} ${dragStart.current!.y}L${x} ${y}`);
        };
        const end = (ended: globalThis.PointerEvent) => {
          window.removeEventListener('pointermove', move);
          window.removeEventListener('pointerup', end);
          setLine(undefined);
          const over = document
            .elementFromPoint(ended.clientX, ended.clientY)
            ?.closest<SVGGElement>('[data-column]');
          const { table, column: name } = over?.dataset ?? {};
          if (table === undefined || name === undefined) return;
          if (table !== column.table || name !== column.column) onConnect(column, { table, column: name });
        };
        window.addEventListener('pointermove', move);
        window.addEventListener('pointerup', end);
      }
    : undefined;
  return { line, onGrab };
}

interface BoxProps {
  readonly box: TableBox;
  readonly isChosen: boolean;
  /** The diagram's scale where it is so small that only names can be read. */
  readonly farScale: number | undefined;
  readonly onGrab: ((event: PointerEvent<SVGGElement>, column: ColumnPlace) => void) | undefined;
}

function Box({ box, isChosen, farScale: scale, onGrab }: BoxProps) {
  const { table, x, y, height, columns, more } = box;
  const frame = (
    <rect
      width={boxWidth}
      height={height}
      rx={8}
      className={`fill-raised ${isChosen ? 'stroke-accent stroke-2' : 'stroke-border-strong group-hover:stroke-text-3'}`}
    />
  );
  if (scale !== undefined)
    return (
      <g transform={`translate(${x} ${y})`}>
        {frame}
        <FarName name={table.name} height={height} scale={scale} />
      </g>
    );
  return (
    <g transform={`translate(${x} ${y})`}>
      {frame}
      <path d={`M0 ${headHeight}H${boxWidth}`} className="stroke-border" />
      <text x={12} y={22} className="fill-text text-13 font-semibold">
        {shortened(table.name, table.rows === undefined ? 26 : 18)}
        <title>{table.name}</title>
      </text>
      {table.rows === undefined ? null : (
        <text x={boxWidth - 12} y={22} textAnchor="end" className="tabular fill-text-3 text-11">
          {count(table.rows)}
        </text>
      )}
      {columns.map((column, i) => (
        <g
          key={column.name}
          data-table={table.name}
          data-column={column.name}
          transform={`translate(0 ${headHeight + 2 + i * columnHeight})`}
          className={onGrab ? 'cursor-crosshair' : ''}
          onPointerDown={event => onGrab?.(event, { table: table.name, column: column.name })}
        >
          <rect x={1} width={boxWidth - 2} height={columnHeight} className="fill-transparent" />
          {column.isKey ? (
            <KeyRound x={10} y={5} width={12} height={12} className="text-text-3" aria-hidden />
          ) : null}
          <text x={28} y={15} className="fill-text-2 text-12">
            {shortened(column.name, 25)}
            <title>{column.name}</title>
          </text>
        </g>
      ))}
      {more > 0 ? (
        <text x={28} y={headHeight + 17 + columns.length * columnHeight} className="fill-text-3 text-11">
          {words.more(more)}
        </text>
      ) : null}
    </g>
  );
}

/** A table's name in the middle of its box, in lines of letters that can be read at a small scale. */
function FarName({
  name,
  height,
  scale,
}: {
  readonly name: string;
  readonly height: number;
  readonly scale: number;
}) {
  const { lines, size } = farLines(name, { width: boxWidth - 16, height: height - 8 }, 13 / scale);
  return (
    <text x={boxWidth / 2} textAnchor="middle" className="fill-text font-semibold" style={{ fontSize: size }}>
      <title>{name}</title>
      {lines.map((line, i) => (
        <tspan
          key={i}
          x={boxWidth / 2}
          y={height / 2 + (i - (lines.length - 1) / 2) * size * 1.15 + size * 0.35}
        >
          {line}
        </tspan>
      ))}
    </text>
  );
}

interface LineProps {
  readonly link: Link;
  readonly isChosen: boolean;
  readonly isFaded: boolean;
  readonly onPress: () => void;
}

function Line({ link, isChosen, isFaded, onPress }: LineProps) {
  const { relationship, path, from, to } = link;
  const isOffered = relationship.verdict !== 'used';
  const stroke = isChosen ? 'stroke-accent' : isOffered ? 'stroke-text-3' : 'stroke-text-2';
  return (
    <g
      className={`cursor-pointer fill-none ${stroke} hover:stroke-accent`}
      strokeWidth={isChosen ? 2 : 1.25}
      opacity={isFaded ? 0.15 : 1}
      onClick={onPress}
    >
      <title>{nameOf(relationship)}</title>
      <path d={path} stroke="transparent" strokeWidth={12} />
      <path d={path} {...(isOffered && { strokeDasharray: '4 4' })} />
      <path d={relationship.cardinality === 'many-to-one' ? crowsFoot(from) : bar(from)} />
      <path d={bar(to)} />
    </g>
  );
}

/** Three toes at a box: many rows. */
function crowsFoot({ x, y, side }: LinkEnd): string {
  const at = x + side * 11;
  return `M${at} ${y}L${x} ${y - 6}M${at} ${y}L${x} ${y}M${at} ${y}L${x} ${y + 6}`;
}

/** A stroke across the line: one row. */
function bar({ x, y, side }: LinkEnd): string {
  return `M${x + side * 8} ${y - 5}V${y + 5}`;
}

function extentOf({ from, to }: Link) {
  return {
    x: Math.min(from.x, to.x),
    y: Math.min(from.y, to.y),
    width: Math.abs(from.x - to.x),
    height: Math.abs(from.y - to.y),
  };
}

/** What stays bright beside the chosen one. */
function relatedTo(chosen: Chosen | undefined, links: readonly Link[]) {
  const related = links.filter(({ key, relationship: { from, to } }) =>
    chosen?.kind === 'table' ? from.table === chosen.name || to.table === chosen.name : chosen?.key === key,
  );
  return {
    links: new Set(related.map(({ key }) => key)),
    tables: new Set([
      ...(chosen?.kind === 'table' ? [chosen.name] : []),
      ...related.flatMap(({ relationship: { from, to } }) => [from.table, to.table]),
    ]),
  };
}

function describeTable({ name, rows }: RelatedTable, links: readonly Link[]): string {
  const all = links.map(({ relationship }) => relationship);
  const named = (tables: readonly string[]) => [...new Set(tables)].join(', ');
  const to = named(all.filter(({ from }) => from.table === name).map(one => one.to.table));
  const from = named(all.filter(one => one.to.table === name).map(one => one.from.table));
  return [
    name,
    ...(rows === undefined ? [] : [words.rows(count(rows))]),
    ...(to ? [words.refersTo(to)] : []),
    ...(from ? [words.referredBy(from)] : []),
  ].join(', ');
}

function describeLink(relationship: TableRelationship): string {
  const { verdict, cardinality, matches } = relationship;
  return [
    nameOf(relationship),
    words.verdicts[verdict],
    words.cardinalities[cardinality],
    ...(matches ? [matchText(relationship, matches)] : []),
    ...(verdict === 'used' ? [] : [reasonText(relationship)]),
  ].join('. ');
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
