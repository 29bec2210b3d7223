import { hasParts } from '@belvedere/chart';
import { isMeasure, Name, type GridBox, type Tile, type TileKind } from '@belvedere/document';
import { Button, Checkbox, InlineSelect, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { tileTitle } from '../../../dashboard/tiles/describe.ts';
import { useDashboards } from '../../../data/server.ts';
import { moveToPage, positionEdits, setKey, tilePath, tilesOf } from '../../state/commands.ts';
import { run, useEditing, useEditor } from '../../state/editing.ts';
import { tileName } from '../../canvas/EditableTile.tsx';
import { fieldProfilesOf, withParameters } from '../../encoding/field-profiles.ts';
import { align, boxesOf, position, type Alignment } from '../../canvas/layout.ts';
import { tileTextField } from './focus-tile-text.ts';
import { words } from '../../messages/words.ts';
import { shelvesOf } from '../../encoding/encoding-shelves.ts';
import { Annotations, hasAnnotations } from './Annotations.tsx';
import { Drill } from './Drill.tsx';
import { generatedTitle, withFollowingTitle } from '../../encoding/generated-title.ts';
import { FilterList } from '../FilterList.tsx';
import { ReferenceLines, hasReferenceLines } from './ReferenceLines.tsx';
import { KindOptions } from './KindOptions.tsx';
import { ChartKinds } from './ChartKinds.tsx';
import { VisibilitySection } from './VisibilitySection.tsx';
import { Section } from '../Section.tsx';
import { TableColumns } from './TableColumns.tsx';
import { ValueColours } from './ValueColours.tsx';
import { NumberField } from '../NumberField.tsx';
import { ShelfField } from '../field/ShelfField.tsx';

/** Everything about the tile that is chosen. */
export function TilePanel({ id }: { readonly id: string }) {
  const { editor, models, facts: ownFacts } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const { data: dashboards } = useDashboards();
  const tile = tilesOf(document, page)[id];
  if (!tile) return null;
  const modelName = tile.model ?? document.model;
  const model = models.find(candidate => candidate.name === modelName);
  const facts =
    modelName === ownFacts?.name
      ? ownFacts
      : model && withParameters(fieldProfilesOf(model, undefined), document.parameters);
  const path = tilePath(page, id);
  const set = (key: string, value: unknown, name: string) =>
    editor.apply(name, [setKey([...path, key], value)], `${key}:${id}`);
  const follow = (next: Tile) => withFollowingTitle(tile, next, one => tileTitle(one, model));
  const change = (next: Tile, joins?: string) =>
    void editor.apply(
      words.steps.field,
      [{ kind: 'set', path, value: follow(next) }],
      joins === undefined ? undefined : `${joins}:${id}`,
    );
  const box = boxesOf(tilesOf(document, page))[id]!;
  const put = (next: GridBox) =>
    run(
      editor,
      words.steps.move,
      {
        edits: positionEdits(
          page,
          boxesOf(tilesOf(document, page)),
          position(boxesOf(tilesOf(document, page)), { [id]: next }),
        ),
      },
      `place:${id}`,
    );
  const canLabel =
    tile.kind === 'bar' ||
    tile.kind === 'line' ||
    tile.kind === 'area' ||
    tile.kind === 'combo' ||
    tile.kind === 'heatmap' ||
    tile.kind === 'scatter';
  return (
    <div data-testid="tile-panel">
      <Section title={words.tile.showAs}>
        <ChartKinds
          tile={tile}
          onKind={next => editor.apply(words.steps.kind, [{ kind: 'set', path, value: follow(next) }])}
          facts={facts}
          hasPreviews
        />
      </Section>
      {tile.kind === 'text' ? (
        <Section title={words.tile.text}>
          <textarea
            {...tileTextField}
            aria-label={words.tile.text}
            value={tile.text}
            rows={8}
            onChange={event =>
              event.target.value !== '' &&
              editor.apply(
                words.steps.setting,
                [{ kind: 'set', path: [...path, 'text'], value: event.target.value }],
                `text:${id}`,
              )
            }
            className="w-full rounded-control border border-border bg-surface p-2 text-13 text-text focus:border-accent"
          />
        </Section>
      ) : null}
      {tile.kind === 'image' ? (
        <Section title={words.tile.data}>
          <TextField
            label={words.tile.file}
            value={tile.file}
            onChange={file => set('file', file || undefined, words.steps.setting)}
          />
          <TextField
            label={words.tile.alt}
            value={tile.alt}
            onChange={alt => alt !== '' && set('alt', alt, words.steps.setting)}
          />
        </Section>
      ) : null}
      {facts && shelvesOf[tile.kind].length > 0 ? (
        <Section title={words.tile.data}>
          {shelvesOf[tile.kind].map(shelf => (
            <ShelfField key={shelf.key} tile={tile} shelf={shelf} facts={facts} onChange={change} />
          ))}
          {tile.kind === 'map' ? (
            <InlineSelect
              label={words.tile.shape}
              value={tile.shape}
              options={[
                ...Object.entries(words.tile.shapes).map(([value, label]) => ({ value, label })),
                ...(tile.shape in words.tile.shapes ? [] : [{ value: tile.shape, label: tile.shape }]),
              ]}
              onChange={shape => set('shape', shape, words.steps.setting)}
            />
          ) : null}
          <KindOptions id={id} tile={tile} facts={facts} />
          {canLabel ? (
            <Checkbox
              isSelected={tile.labels ?? isLabelledByDefault(tile)}
              onChange={labels =>
                set('labels', labels === isLabelledByDefault(tile) ? undefined : labels, words.steps.setting)
              }
            >
              {words.tile.labels}
            </Checkbox>
          ) : null}
        </Section>
      ) : null}
      {hasReferenceLines(tile) ? (
        <Section title={words.guides.title}>
          <ReferenceLines id={id} tile={tile} facts={facts} />
        </Section>
      ) : null}
      {hasAnnotations(tile) ? (
        <Section title={words.annotations.title}>
          <Annotations id={id} tile={tile} />
        </Section>
      ) : null}
      {tile.kind === 'table' && facts ? (
        <Section title={words.columns.title}>
          <TableColumns id={id} tile={tile} facts={facts} />
        </Section>
      ) : null}
      <Section title={words.tile.look}>
        <TextField
          label={words.tile.title}
          value={tile.title ?? ''}
          placeholder={generatedTitle(tile, one => tileTitle(one, model))}
          onChange={title => set('title', title, words.steps.title)}
        />
        <TextField
          label={words.tile.subtitle}
          value={tile.subtitle ?? ''}
          onChange={subtitle => set('subtitle', subtitle, words.steps.title)}
        />
        <TextField
          label={words.tile.description}
          value={tile.description ?? ''}
          onChange={description => set('description', description, words.steps.setting)}
        />
        {('row' in tile && tile.row) || ('column' in tile && tile.column) ? (
          <InlineSelect
            label={words.tile.scales}
            value={tile.scales ?? 'shared'}
            options={(['shared', 'free'] as const).map(value => ({
              value,
              label: words.tile.scalesOf[value],
            }))}
            onChange={scales => set('scales', scales === 'free' ? scales : '', words.steps.setting)}
          />
        ) : null}
        {shelvesOf[tile.kind].length > 0 ? (
          <InlineSelect
            label={words.tile.opens}
            value={tile.opens ?? ''}
            options={[
              { value: '', label: words.tile.nothing },
              ...(dashboards?.dashboards ?? [])
                .filter(one => one.id !== editor.id)
                .map(one => ({ value: one.id, label: one.title })),
            ]}
            onChange={opens => set('opens', opens, words.steps.setting)}
          />
        ) : null}
      </Section>
      {facts && shelvesOf[tile.kind].length > 0 && tile.kind !== 'control' ? (
        <Section title={words.tile.listens}>
          {hasParts(tile) ? (
            <Checkbox
              isSelected={tile.selects !== false}
              onChange={isOn =>
                editor.apply(words.steps.setting, [
                  isOn
                    ? { kind: 'remove', path: [...path, 'selects'] }
                    : { kind: 'set', path: [...path, 'selects'], value: false },
                ])
              }
            >
              {words.tile.selects}
            </Checkbox>
          ) : null}
          <Listens
            tile={tile}
            id={id}
            page={page}
            onChange={listens =>
              editor.apply(words.steps.setting, [
                listens === undefined
                  ? { kind: 'remove', path: [...path, 'listens'] }
                  : { kind: 'set', path: [...path, 'listens'], value: listens },
              ])
            }
          />
        </Section>
      ) : null}
      {facts && canDrill.includes(tile.kind) ? (
        <Section title={words.tile.drill}>
          <Drill id={id} tile={tile} facts={facts} />
        </Section>
      ) : null}
      {facts && shelvesOf[tile.kind].length > 0 && tile.kind !== 'control' ? (
        <Section title={words.tile.filters}>
          <FilterList filters={tile.filters ?? []} path={[...path, 'filters']} facts={facts} isTile />
        </Section>
      ) : null}
      <ValueColours id={id} />
      <VisibilitySection id={id} tile={tile} facts={facts} />
      <Section title={words.tile.position}>
        <div className="grid grid-cols-4 gap-2">
          <NumberField
            label={words.tile.column}
            value={box[0] + 1}
            onChange={value => value !== undefined && put([value - 1, box[1], box[2], box[3]])}
          />
          <NumberField
            label={words.tile.row}
            value={box[1] + 1}
            onChange={value => value !== undefined && put([box[0], value - 1, box[2], box[3]])}
          />
          <NumberField
            label={words.tile.width}
            value={box[2]}
            onChange={value => value !== undefined && put([box[0], box[1], value, box[3]])}
          />
          <NumberField
            label={words.tile.height}
            value={box[3]}
            onChange={value => value !== undefined && put([box[0], box[1], box[2], value])}
          />
        </div>
        {document.pages.length > 1 ? (
          <InlineSelect
            label={words.tile.page}
            value={String(page)}
            options={document.pages.map((one, i) => ({ value: String(i), label: one.title }))}
            onChange={to =>
              Number(to) !== page &&
              run(editor, words.steps.page, { ...moveToPage(document, page, Number(to), [id]), selects: [] })
            }
          />
        ) : null}
        <IdField id={id} page={page} key={id} />
      </Section>
    </div>
  );
}

/** Horizontal bars have their values beside them in place of an axis. */
function isLabelledByDefault(tile: Tile): boolean {
  if (tile.kind !== 'bar' || !isMeasure(tile.x) || isMeasure(tile.y)) return false;
  return tile.x.axis !== false && tile.x.axis?.labels !== false;
}

/** Kinds whose marks can be opened: those of one field, or of two. */
const canDrill: readonly TileKind[] = [
  'bar',
  'line',
  'area',
  'combo',
  'heatmap',
  'waterfall',
  'funnel',
  'radar',
];

/** The tiles that filter this one: all, none, or some. */
function Listens({
  tile,
  id,
  page,
  onChange,
}: {
  readonly tile: Tile;
  readonly id: string;
  readonly page: number;
  readonly onChange: (listens: false | readonly string[] | undefined) => void;
}) {
  const { editor } = useEditing();
  const document = useEditor(editor, state => state.document);
  const shown = useEditor(editor, state => state.shown);
  const others = Object.entries(tilesOf(document, page)).filter(
    ([other, tile]) => other !== id && tile.selects !== false && hasParts(tile),
  );
  const { listens } = tile;
  const how = listens === undefined ? 'all' : listens === false ? 'none' : 'some';
  const turn = (next: string) =>
    next !== how &&
    onChange(
      next === 'all' ? undefined : next === 'none' ? false : others.slice(0, 1).map(([other]) => other),
    );
  return (
    <>
      <InlineSelect
        label={words.tile.listensTo}
        value={how}
        options={(['all', 'none', ...(others.length > 0 ? ['some' as const] : [])] as const).map(value => ({
          value,
          label: words.tile.listening[value],
        }))}
        onChange={turn}
      />
      {listens
        ? others.map(([other, one]) => (
            <Checkbox
              key={other}
              isSelected={listens.includes(other)}
              onChange={isHeard => {
                const next = isHeard ? [...listens, other] : listens.filter(name => name !== other);
                onChange(next.length > 0 ? next : false);
              }}
            >
              {tileName(other, document, one, shown)}
            </Checkbox>
          ))
        : null}
    </>
  );
}

/** The ID of the tile in the text, and in links to selections on it. */
function IdField({ id, page }: { readonly id: string; readonly page: number }) {
  const { editor } = useEditing();
  const [typed, setTyped] = useState(id);
  const taken = new Set(editor.state.document.pages.flatMap(one => Object.keys(one.tiles)));
  const isFree = typed === id || (Name.safeParse(typed).success && !taken.has(typed));
  const rename = () => {
    if (typed !== id && isFree)
      run(editor, words.steps.rename, {
        edits: [{ kind: 'rename', path: tilePath(page, id), to: typed }],
        selects: [typed],
      });
  };
  return (
    <div onBlur={rename}>
      <TextField
        label={words.tile.name}
        value={typed}
        onChange={setTyped}
        onEnter={rename}
        {...(!isFree && { error: words.tile.nameTaken })}
      />
    </div>
  );
}

/** Several tiles at once: brought into line, moved to another page. */
export function TilesPanel({ ids }: { readonly ids: readonly string[] }) {
  const { editor } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const boxes = boxesOf(tilesOf(document, page));
  const line = (how: Alignment) =>
    run(editor, words.steps.align, {
      edits: positionEdits(page, boxes, position(boxes, align(boxes, ids, how))),
    });
  return (
    <Section title={words.canvas.chosen(ids.length)}>
      <p className="text-12 text-text-2">{words.tile.align}</p>
      <div className="grid grid-cols-3 gap-1.5">
        {(Object.keys(words.tile.aligned) as Alignment[]).map(how => (
          <Button key={how} className="justify-center" onPress={() => line(how)}>
            {words.tile.aligned[how]}
          </Button>
        ))}
      </div>
      {document.pages.length > 1 ? (
        <InlineSelect
          label={words.tile.page}
          value={String(page)}
          options={document.pages.map((one, i) => ({ value: String(i), label: one.title }))}
          onChange={to =>
            Number(to) !== page &&
            run(editor, words.steps.page, { ...moveToPage(document, page, Number(to), ids), selects: [] })
          }
        />
      ) : null}
    </Section>
  );
}
