import type { TableRelationship } from '@belvedere/api';
import { SearchField, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { words } from './messages/words.ts';
import { RelationshipActions, type Use } from './RelationshipActions.tsx';
import { keyOf } from './relationship-key.ts';
import { endText, matchText, nameOf, reasonText } from './relationship-texts.ts';

export const verdictTones = { used: 'good', offered: 'accent', refused: 'neutral' } as const;
const order = { used: 0, offered: 1, refused: 2 } as const;

interface RelationshipTableProps {
  readonly relationships: readonly TableRelationship[];
  readonly isBusy: boolean;
  /** Absent for users who may only look. */
  readonly onUse?: ((relationship: TableRelationship, use: Use) => void) | undefined;
}

/** Every relationship with its figures, its verdict and the reason for it. */
export function RelationshipTable({ relationships, isBusy, onUse }: RelationshipTableProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = relationships
    .filter(one => nameOf(one).toLowerCase().includes(wanted))
    .toSorted((a, b) => order[a.verdict] - order[b.verdict] || (nameOf(a) < nameOf(b) ? -1 : 1));
  return (
    <>
      <div className="w-72 max-w-full pb-3">
        <SearchField label={words.filter} value={search} onChange={setSearch} />
      </div>
      <div className="overflow-x-auto rounded-tile border border-border bg-surface">
        <table className="w-full text-13 max-md:block">
          <thead className="text-start text-12 text-text-2 max-md:sr-only">
            <tr className="border-b border-border">
              <th className="h-9 px-3 font-medium">{words.from}</th>
              <th className="px-3 font-medium">{words.to}</th>
              <th className="px-3 font-medium">{words.cardinality}</th>
              <th className="px-3 font-medium">{words.matches}</th>
              <th className="px-3 font-medium">{words.state}</th>
              {onUse ? <th className="px-3 font-medium">{words.actions}</th> : null}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {found.map(one => (
              <tr
                key={keyOf(one)}
                className="border-b border-border align-top last:border-0 max-md:block max-md:px-3 max-md:py-2.5"
              >
                <td className="px-3 py-2 font-medium break-words max-md:inline max-md:p-0">
                  {endText(one.from)}
                </td>
                <td className="px-3 py-2 font-medium break-words max-md:inline max-md:p-0">
                  <span aria-hidden className="px-1 md:hidden">
                    →
                  </span>
                  {endText(one.to)}
                </td>
                <td className="px-3 py-2 whitespace-nowrap text-text-2 max-md:block max-md:p-0 max-md:pt-1">
                  {words.cardinalities[one.cardinality]}
                </td>
                <td className="tabular px-3 py-2 text-text-2 max-md:block max-md:p-0 max-md:pt-1">
                  {one.matches ? matchText(one, one.matches) : words.notCounted}
                </td>
                <td className="px-3 py-2 text-text-2 max-md:block max-md:p-0 max-md:pt-1">
                  <StateChip tone={verdictTones[one.verdict]}>{words.verdicts[one.verdict]}</StateChip>
                  <span className="block pt-1 text-12">{reasonText(one)}</span>
                </td>
                {onUse ? (
                  <td className="px-3 py-2 max-md:block max-md:p-0 max-md:pt-2">
                    <RelationshipActions relationship={one} isBusy={isBusy} onUse={onUse} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
