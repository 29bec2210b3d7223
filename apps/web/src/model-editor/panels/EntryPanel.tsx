import {
  isLinkTemplate,
  labelFrom,
  Name,
  type DimensionFile,
  type Edit,
  type MeasureFile,
  type ModelFile,
} from '@belvedere/document';
import { Button, Checkbox, InlineSelect, IconButton, TextField } from '@belvedere/ui';
import { ArrowDown, ArrowUp, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { setKey } from '../../editor/state/commands.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { Section } from '../../editor/inspector/Section.tsx';
import { words } from '../../editor/messages/words.ts';
import { ExpressionField } from '../expressions/ExpressionField.tsx';
import { FormatField } from './FormatField.tsx';
import { FilterFields } from './FilterFields.tsx';
import { entryOf, type Section as EntrySection } from '../model-editor.ts';
import { useModelEditing } from '../model-editing.ts';
import { inExpression } from '../expressions/in-expression.ts';
import { words as relationshipWords } from '../../relationships/messages/words.ts';
import { firstRange, RangeFields, temporalIn, type Range } from '../../relationships/RangeFields.tsx';
import { JoinMatchNote } from './JoinMatch.tsx';
import { PolicyFields } from './PolicyFields.tsx';
import { Preview } from '../Preview.tsx';

/** Everything about the entry that is chosen, and what it comes to with the data. */
export function EntryPanel({ id }: { readonly id: string }) {
  const { editor } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const entry = entryOf(document, id);
  if (!entry) return null;
  const { section, name } = entry;
  const names = Object.keys(document[section] ?? {});
  const at = names.indexOf(name);
  const path = editor.pathOf(id);
  const called = section === 'policies' ? document.policies![at]!.name : name;
  const move = (to: number) => {
    if (editor.apply(words.steps.move, [{ kind: 'move', path, to }]) && section === 'policies')
      editor.select(`policies.${to}`);
  };
  // The last policy is removed with its list: without a list, all users see all rows.
  const remove = () =>
    editor.apply(words.steps.remove, [
      { kind: 'remove', path: section === 'policies' && names.length === 1 ? ['policies'] : path },
    ]);
  return (
    <div data-testid="entry-panel">
      <Section title={words.model.one[section]}>
        {section === 'policies' ? null : section === 'filters' ? (
          <p className="font-mono text-13">{name}</p>
        ) : (
          <NameField key={id} section={section} name={name} />
        )}
        {section === 'dimensions' ? (
          <DimensionFields name={name} dimension={document.dimensions![name]!} />
        ) : section === 'measures' ? (
          <MeasureFields name={name} measure={document.measures![name]!} />
        ) : section === 'joins' ? (
          <JoinFields name={name} />
        ) : section === 'hierarchies' ? (
          <HierarchyFields name={name} />
        ) : section === 'policies' ? (
          <PolicyFields key={id} at={at} />
        ) : (
          <FilterFields field={name} />
        )}
        <Errors id={id} />
      </Section>
      <Section title={words.model.preview}>
        <Preview section={section} name={name} />
      </Section>
      <Section title={words.tile.position}>
        <div className="flex items-center gap-1">
          {at > 0 ? (
            <IconButton label={words.page.up(called)} onPress={() => move(at - 1)}>
              <ArrowUp size={14} aria-hidden />
            </IconButton>
          ) : null}
          {at < names.length - 1 ? (
            <IconButton label={words.page.down(called)} onPress={() => move(at + 1)}>
              <ArrowDown size={14} aria-hidden />
            </IconButton>
          ) : null}
          <Button className="ms-auto" onPress={remove}>
            <Trash2 size={14} aria-hidden />
            {words.tile.remove(called)}
          </Button>
        </div>
      </Section>
    </div>
  );
}

/** Sets a key of an entry as one step, joined with what is typed on in the same field. */
function useSet(section: string, name: string): (key: string, value: unknown) => void {
  const { editor } = useModelEditing();
  return (key, value) =>
    void editor.apply(
      words.steps.setting,
      [setKey([section, name, key], value)],
      `${section}.${name}.${key}`,
    );
}

/** What the entry is called in the text, and in every dashboard that uses it. */
function NameField({ section, name }: { readonly section: EntrySection; readonly name: string }) {
  const { editor } = useModelEditing();
  const [typed, setTyped] = useState(name);
  const taken = Object.keys(editor.state.document[section] ?? {});
  const isFree = typed === name || (Name.safeParse(typed).success && !taken.includes(typed));
  const rename = () => {
    if (typed === name || !isFree) return;
    // A dimension that is called as its column goes on meaning that column.
    const own = section === 'dimensions' ? editor.state.document.dimensions?.[name] : undefined;
    const keeps =
      own && own.column === undefined && own.expr === undefined
        ? [{ kind: 'set' as const, path: [section, typed, 'column'], value: name }]
        : [];
    const others = [
      ...(section === 'dimensions' ? renamedElsewhere(editor.state.document, name, typed) : []),
      ...(section === 'dimensions' || section === 'measures'
        ? hiddenAs(editor.state.document, name, typed)
        : []),
    ];
    if (
      editor.apply(words.steps.rename, [
        { kind: 'rename', path: [section, name], to: typed },
        ...keeps,
        ...others,
      ])
    )
      editor.select(`${section}.${typed}`);
  };
  return (
    <div onBlur={rename}>
      <TextField
        label={words.tile.name}
        value={typed}
        onChange={setTyped}
        onEnter={rename}
        {...(!isFree && { error: words.model.nameTaken })}
      />
    </div>
  );
}

/** What else of the model goes by a dimension's name. */
function renamedElsewhere(
  { time, hierarchies = {}, filters = {} }: ModelFile,
  from: string,
  to: string,
): readonly Edit[] {
  return [
    ...(time === from ? [{ kind: 'set' as const, path: ['time'], value: to }] : []),
    ...Object.entries(hierarchies).flatMap(([name, levels]) =>
      levels.includes(from)
        ? [
            {
              kind: 'set' as const,
              path: ['hierarchies', name],
              value: levels.map(level => (level === from ? to : level)),
            },
          ]
        : [],
    ),
    ...(Object.hasOwn(filters, from) ? [{ kind: 'rename' as const, path: ['filters', from], to }] : []),
  ];
}

/** What policies hide stays hidden under another name. */
function hiddenAs({ policies = [] }: ModelFile, from: string, to: string): readonly Edit[] {
  return policies.flatMap(({ hide = [] }, i) =>
    hide.includes(from)
      ? [
          {
            kind: 'set' as const,
            path: ['policies', i, 'hide'],
            value: hide.map(field => (field === from ? to : field)),
          },
        ]
      : [],
  );
}

function DimensionFields({ name, dimension }: { readonly name: string; readonly dimension: DimensionFile }) {
  const { editor, columns } = useModelEditing();
  const set = useSet('dimensions', name);
  const { column, expr } = dimension;
  const isExpression = expr !== undefined;
  const means = (how: string) => {
    if ((how === 'expr') === isExpression) return;
    const known = columns.find(one => one.name === name)?.name ?? columns[0]?.name ?? name;
    editor.apply(
      words.steps.setting,
      how === 'expr'
        ? [
            { kind: 'remove', path: ['dimensions', name, 'column'] },
            { kind: 'set', path: ['dimensions', name, 'expr'], value: inExpression(column ?? name) },
          ]
        : [
            { kind: 'remove', path: ['dimensions', name, 'expr'] },
            ...(known === name
              ? []
              : [{ kind: 'set' as const, path: ['dimensions', name, 'column'], value: known }]),
          ],
    );
  };
  return (
    <>
      <TextField
        label={words.model.label}
        value={dimension.label ?? ''}
        placeholder={labelFrom(column ?? name)}
        onChange={label => set('label', label)}
      />
      <InlineSelect
        label={words.model.means}
        value={isExpression ? 'expr' : 'column'}
        options={[
          { value: 'column', label: words.model.column },
          { value: 'expr', label: words.model.expression },
        ]}
        onChange={means}
      />
      {isExpression ? (
        <ExpressionField value={expr} columns={columns} onChange={value => set('expr', value)} />
      ) : (
        <InlineSelect
          label={words.model.column}
          value={column ?? name}
          options={withCurrent(
            columns.map(one => one.name),
            column ?? name,
          )}
          onChange={value => set('column', value === name ? undefined : value)}
        />
      )}
      <FormatField value={dimension.format} onChange={format => set('format', format)} />
      <InlineSelect
        label={words.model.role}
        value={dimension.role ?? ''}
        options={roleOptions(dimension.role)}
        onChange={role => set('role', role)}
      />
      <LinkField link={dimension.link} onChange={link => set('link', link)} />
      <TextField
        label={words.tile.description}
        value={dimension.description ?? ''}
        onChange={description => set('description', description)}
      />
      <Checkbox
        isSelected={dimension.hidden ?? false}
        onChange={hidden => set('hidden', hidden || undefined)}
      >
        {words.model.isHidden}
      </Checkbox>
    </>
  );
}

function MeasureFields({ name, measure }: { readonly name: string; readonly measure: MeasureFile }) {
  const { columns } = useModelEditing();
  const set = useSet('measures', name);
  return (
    <>
      <TextField
        label={words.model.label}
        value={measure.label ?? ''}
        placeholder={labelFrom(name)}
        onChange={label => set('label', label)}
      />
      <ExpressionField
        value={measure.expr}
        columns={columns}
        onChange={expr => expr !== '' && set('expr', expr)}
      />
      <FormatField value={measure.format} onChange={format => set('format', format)} />
      <TextField label={words.model.unit} value={measure.unit ?? ''} onChange={unit => set('unit', unit)} />
      <InlineSelect
        label={words.model.better}
        value={measure.better ?? ''}
        options={Object.entries(words.model.betters).map(([value, label]) => ({ value, label }))}
        onChange={better => set('better', better)}
      />
      <TextField
        label={words.tile.description}
        value={measure.description ?? ''}
        onChange={description => set('description', description)}
      />
      <Checkbox isSelected={measure.hidden ?? false} onChange={hidden => set('hidden', hidden || undefined)}>
        {words.model.isHidden}
      </Checkbox>
    </>
  );
}

function JoinFields({ name }: { readonly name: string }) {
  const { editor, tables, columns } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const { table, on, between } = document.joins![name]!;
  // Of the table, and of what else is joined to it.
  const own = columns.map(column => column.name).filter(column => !column.startsWith(`${name}.`));
  const there = tables.find(one => one.name === table)?.columns.map(column => column.name) ?? [];
  const put = (pairs: readonly (readonly [string, string])[]) =>
    editor.apply(words.steps.setting, [
      { kind: 'set', path: ['joins', name, 'on'], value: Object.fromEntries(pairs) },
    ]);
  const pairs = Object.entries(on);
  const [range] = Object.entries(between ?? {}).map(([column, [begin, end]]) => ({ column, begin, end }));
  const times = temporalIn(columns).filter(column => !column.startsWith(`${name}.`));
  const bounds = temporalIn(tables.find(one => one.name === table)?.columns ?? []);
  const newRange = firstRange(times, bounds);
  const putRange = (next: Range | undefined) => {
    const path = ['joins', name, 'between'];
    editor.apply(words.steps.setting, [
      next
        ? { kind: 'set', path, value: { [next.column]: [next.begin, next.end] } }
        : { kind: 'remove', path },
    ]);
  };
  const toTable = (next: string) => {
    const columns = tables.find(one => one.name === next)?.columns.map(column => column.name) ?? [];
    editor.apply(words.steps.setting, [
      { kind: 'set', path: ['joins', name, 'table'], value: next },
      ...(between ? [{ kind: 'remove' as const, path: ['joins', name, 'between'] }] : []),
      {
        kind: 'set',
        path: ['joins', name, 'on'],
        value: Object.fromEntries(
          pairs.map(([here, equals]) => [
            here,
            columns.includes(equals) ? equals : columns.includes(here) ? here : (columns[0] ?? equals),
          ]),
        ),
      },
    ]);
  };
  return (
    <>
      <InlineSelect
        label={words.model.joinedTable}
        value={table}
        options={withCurrent(
          tables.filter(one => one.name !== document.table).map(one => one.name),
          table,
        )}
        onChange={toTable}
      />
      <JoinMatchNote name={name} />
      <p className="text-12 text-text-2">{words.model.joinedOn}</p>
      {pairs.map(([here, equals], i) => (
        <div key={i} className="flex items-end gap-1">
          <div className="min-w-0 flex-1">
            <InlineSelect
              label={document.table ?? editor.name}
              value={here}
              options={withCurrent(own, here)}
              onChange={value => put(pairs.map((pair, j) => (j === i ? [value, equals] : pair)))}
            />
          </div>
          <span aria-hidden className="pb-1.5 text-text-3">
            =
          </span>
          <div className="min-w-0 flex-1">
            <InlineSelect
              label={table}
              value={equals}
              options={withCurrent(there, equals)}
              onChange={value => put(pairs.map((pair, j) => (j === i ? [here, value] : pair)))}
            />
          </div>
          {pairs.length > 1 ? (
            <IconButton
              label={words.tile.remove(`${here} = ${equals}`)}
              onPress={() => put(pairs.filter((_, j) => j !== i))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          ) : null}
        </div>
      ))}
      <Button
        look="quiet"
        onPress={() => put([...pairs, [own.find(column => !(column in on)) ?? own[0]!, there[0] ?? '']])}
      >
        {words.model.addKey}
      </Button>
      {range ? (
        <RangeFields range={range} times={times} ends={bounds} onChange={putRange} />
      ) : newRange ? (
        <Button look="quiet" onPress={() => putRange(newRange)}>
          {relationshipWords.addRange}
        </Button>
      ) : null}
    </>
  );
}

/** Its dimensions, from the coarsest to the finest. */
function HierarchyFields({ name }: { readonly name: string }) {
  const { editor } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const levels = document.hierarchies![name]!;
  const dimensions = Object.keys(document.dimensions ?? {});
  const put = (next: readonly string[]) =>
    editor.apply(words.steps.setting, [{ kind: 'set', path: ['hierarchies', name], value: next }]);
  const swap = (at: number) =>
    put(levels.map((level, i) => (i === at - 1 ? levels[at]! : i === at ? levels[at - 1]! : level)));
  const free = dimensions.filter(dimension => !levels.includes(dimension));
  return (
    <>
      {levels.map((level, i) => (
        <div key={level} className="flex items-end gap-1">
          <div className="min-w-0 flex-1">
            <InlineSelect
              label={`${i + 1}`}
              value={level}
              options={withCurrent([level, ...free], level)}
              onChange={next => put(levels.with(i, next))}
            />
          </div>
          {i > 0 ? (
            <IconButton label={words.page.up(level)} onPress={() => swap(i)}>
              <ArrowUp size={14} aria-hidden />
            </IconButton>
          ) : null}
          {levels.length > 2 ? (
            <IconButton
              label={words.tile.remove(level)}
              onPress={() => put(levels.filter((_, j) => j !== i))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          ) : null}
        </div>
      ))}
      {free.length > 0 && levels.length < 8 ? (
        <Button look="quiet" onPress={() => put([...levels, free[0]!])}>
          {words.model.addLevel}
        </Button>
      ) : null}
    </>
  );
}

/** What is typed becomes the model's once it is a whole address. */
function LinkField({
  link,
  onChange,
}: {
  readonly link: string | undefined;
  readonly onChange: (link: string | undefined) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const type = (text: string) => {
    const isWhole = text === '' || isLinkTemplate(text);
    setTyped(isWhole ? undefined : text);
    if (isWhole) onChange(text === '' ? undefined : text);
  };
  return (
    <TextField
      label={words.model.link}
      placeholder="https://example.org/{value}"
      value={typed ?? link ?? ''}
      onChange={type}
      {...(typed !== undefined && { error: words.model.linkError })}
    />
  );
}

function Errors({ id }: { readonly id: string }) {
  const { editor } = useModelEditing();
  const found = useEditor(editor, state => state.checked.problems);
  const own = found.filter(({ path }) => path === id || path.startsWith(`${id}.`));
  return own.length === 0 ? null : (
    <ul className="flex flex-col gap-1 rounded-control bg-bad-weak px-2.5 py-2 text-12 text-bad" role="alert">
      {own.map((problem, i) => (
        <li key={`${i}:${problem.message}`}>{problem.message}</li>
      ))}
    </ul>
  );
}

function withCurrent(names: readonly string[], current: string): { value: string; label: string }[] {
  return (names.includes(current) ? names : [current, ...names]).map(name => ({ value: name, label: name }));
}

/** The roles of a dimension, and its own if that is a map of the workspace. */
function roleOptions(role: string | undefined) {
  const known = Object.entries(words.model.roles).map(([value, label]) => ({ value, label }));
  return role === undefined || role in words.model.roles ? known : [...known, { value: role, label: role }];
}
