import { useState } from 'react';
import { words } from '../../messages/words.ts';
import { NumberField } from '../NumberField.tsx';

type Domain = readonly [number, number];

/**
 * The range of an axis; the range of the data if both ends are empty. A range with one valid end changes
 * nothing.
 */
export function DomainFields({
  domain,
  onChange,
}: {
  readonly domain: Domain | undefined;
  readonly onChange: (domain: Domain | undefined) => void;
}) {
  const [ends, setEnds] = useState<readonly [number | undefined, number | undefined]>(
    domain ?? [undefined, undefined],
  );
  const put = (next: typeof ends) => {
    setEnds(next);
    const [from, to] = next;
    if (from !== undefined && to !== undefined && from < to) onChange([from, to]);
    else if (from === undefined && to === undefined) onChange(undefined);
  };
  return (
    <div className="grid grid-cols-2 gap-2">
      <NumberField label={words.field.domainFrom} value={ends[0]} onChange={from => put([from, ends[1]])} />
      <NumberField label={words.field.domainTo} value={ends[1]} onChange={to => put([ends[0], to])} />
    </div>
  );
}
