import type { TableRelationship } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { words } from './messages/words.ts';
import { nameOf } from './relationship-texts.ts';

export type Use = 'always' | 'never' | 'automatic';

interface RelationshipActionsProps {
  readonly relationship: TableRelationship;
  readonly isBusy: boolean;
  readonly onUse: (relationship: TableRelationship, use: Use) => void;
}

/** What can be decided about a relationship. */
export function RelationshipActions({ relationship, isBusy, onUse }: RelationshipActionsProps) {
  const { verdict, reason, origin, matches } = relationship;
  if (origin === 'nested') return null;
  const isDecided = origin === 'chosen' || reason === 'removed';
  // Without a unique key, rows would be counted several times, so it cannot be used at all.
  const isUsable = verdict !== 'used' && reason !== 'removed' && matches?.isUnique === true;
  const name = nameOf(relationship);
  const button = (use: Use, label: string, full: string) => (
    <Button aria-label={full} isDisabled={isBusy} onPress={() => onUse(relationship, use)}>
      {label}
    </Button>
  );
  return (
    <span className="flex flex-wrap gap-2">
      {isUsable ? button('always', words.use, words.useOf(name)) : null}
      {verdict === 'used' ? button('never', words.remove, words.removeOf(name)) : null}
      {isDecided ? button('automatic', words.reset, words.resetOf(name)) : null}
    </span>
  );
}
