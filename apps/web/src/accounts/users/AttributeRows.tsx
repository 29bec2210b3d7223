import type { AttributeRow } from './attribute-rows.ts';
import { words } from '../messages/words.ts';
import { PairRows } from '../PairRows.tsx';

interface AttributeRowsProps {
  readonly rows: readonly AttributeRow[];
  readonly onRows: (rows: readonly AttributeRow[]) => void;
  readonly error?: string | undefined;
}

/** Names and values, for row policies. */
export function AttributeRows(props: AttributeRowsProps) {
  return <PairRows {...props} texts={words.attributes} />;
}
