import type { RelatedTable } from '@belvedere/api';
import { Button, InlineSelect } from '@belvedere/ui';
import { useState } from 'react';
import { useMatches } from '../data/server.ts';
import { useChange } from '../data/use-change.ts';
import { words } from './messages/words.ts';
import { firstRange, RangeFields, temporalIn, type Range } from './RangeFields.tsx';
import type { Ends } from './relationship-key.ts';
import { matchText } from './relationship-texts.ts';
import type { ColumnPlace } from './RelationshipDiagram.tsx';
import { FormDialog } from '../dialogs/FormDialog.tsx';

interface AddRelationshipDialogProps {
  readonly source: string;
  readonly tables: readonly RelatedTable[];
  readonly from: Partial<ColumnPlace>;
  readonly to: Partial<ColumnPlace>;
  /** Saves it. */
  readonly onSave: (ends: Ends) => Promise<unknown>;
  readonly onClose: () => void;
}

const maxPairs = 8;

/** Two tables and their columns, with the rows that match before it is saved. */
export function AddRelationshipDialog({
  source,
  tables,
  onSave,
  onClose,
  ...initial
}: AddRelationshipDialogProps) {
  const [names, setNames] = useState(() => {
    const from = initial.from.table ?? tables[0]!.name;
    return { from, to: initial.to.table ?? tables.find(({ name }) => name !== from)?.name ?? from };
  });
  const columnsOf = (name: string) => tables.find(table => table.name === name)?.columns ?? [];
  const typeOf = (table: string, column: string) =>
    columnsOf(table).find(({ name }) => name === column)?.type;
  const keyIn = (name: string) =>
    (columnsOf(name).find(({ isKey }) => isKey) ?? columnsOf(name)[0])?.name ?? '';
  const [pairs, setPairs] = useState(() => [
    {
      from: initial.from.column ?? columnsOf(names.from)[0]?.name ?? '',
      to: initial.to.column ?? keyIn(names.to),
    },
  ]);
  const [range, setRange] = useState<Range>();
  const [times, bounds] = [temporalIn(columnsOf(names.from)), temporalIn(columnsOf(names.to))];
  const newRange = firstRange(times, bounds);
  const ends: Ends = {
    from: { table: names.from, columns: pairs.map(({ from }) => from) },
    to: { table: names.to, columns: pairs.map(({ to }) => to) },
    ...(range && { between: range }),
  };
  const isItself = names.from === names.to && pairs.every(({ from, to }) => from === to);
  const isRepeated = new Set(ends.from.columns).size < pairs.length;
  const counted = useMatches(source, isItself || isRepeated ? undefined : ends);
  const matches = counted.data?.matches;
  const { change, isBusy, problem } = useChange(() => Promise.resolve());
  const save = async () => {
    if (await change(() => onSave(ends))) onClose();
  };
  const setTable = (side: 'from' | 'to', table: string) => {
    setNames({ ...names, [side]: table });
    setRange(undefined);
    setPairs([{ ...pairs[0]!, [side]: side === 'to' ? keyIn(table) : (columnsOf(table)[0]?.name ?? '') }]);
  };
  const setColumn = (i: number, side: 'from' | 'to', column: string) =>
    setPairs(pairs.map((pair, at) => (at === i ? { ...pair, [side]: column } : pair)));
  const options = (all: readonly { readonly name: string }[]) =>
    all.map(({ name }) => ({ value: name, label: name }));
  return (
    <FormDialog
      title={words.add}
      size="large"
      submitLabel={words.save}
      isDisabled={isBusy || counted.isFetching || !matches?.isUnique}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <InlineSelect
          label={words.fromTable}
          value={names.from}
          options={options(tables)}
          onChange={table => setTable('from', table)}
        />
        <InlineSelect
          label={words.toTable}
          value={names.to}
          options={options(tables)}
          onChange={table => setTable('to', table)}
        />
      </div>
      {pairs.map((pair, i) => (
        <div
          key={i}
          role="group"
          aria-label={words.pair(i + 1)}
          className="grid grid-cols-2 gap-3 max-sm:grid-cols-1"
        >
          <InlineSelect
            label={words.fromColumn}
            value={pair.from}
            options={options(columnsOf(names.from))}
            onChange={column => setColumn(i, 'from', column)}
          />
          <InlineSelect
            label={words.toColumn}
            value={pair.to}
            options={options(columnsOf(names.to))}
            onChange={column => setColumn(i, 'to', column)}
          />
        </div>
      ))}
      {range ? <RangeFields range={range} times={times} ends={bounds} onChange={setRange} /> : null}
      <div className="flex flex-wrap gap-2">
        {pairs.length < maxPairs ? (
          <Button look="quiet" onPress={() => setPairs([...pairs, pairs.at(-1)!])}>
            {words.addColumns}
          </Button>
        ) : null}
        {pairs.length > 1 ? (
          <Button look="quiet" onPress={() => setPairs(pairs.slice(0, -1))}>
            {words.removeColumns}
          </Button>
        ) : null}
        {!range && newRange ? (
          <Button look="quiet" onPress={() => setRange(newRange)}>
            {words.addRange}
          </Button>
        ) : null}
      </div>
      <div role="status" className="min-h-10 rounded-control bg-hover px-3 py-2 text-13">
        {counted.isFetching
          ? words.counting
          : matches
            ? `${matchText(ends, matches)} ${matches.isUnique ? words.isUnique : words.reasons[range ? 'overlaps' : 'not unique']}`
            : isItself || isRepeated
              ? words.chooseOthers
              : pairs.some(({ from, to }) => typeOf(names.from, from) !== typeOf(names.to, to))
                ? words.typesDiffer
                : words.reasons['not measured']}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="rounded-control bg-bad-weak px-3 py-2 text-13 text-bad">
          {problem}
        </p>
      )}
    </FormDialog>
  );
}
