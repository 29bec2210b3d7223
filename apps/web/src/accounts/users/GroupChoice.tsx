import type { UserGroup } from '@belvedere/api';
import { Checkbox } from '@belvedere/ui';
import { words } from '../messages/words.ts';

interface GroupChoiceProps {
  readonly groups: readonly UserGroup[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly isDisabled?: boolean;
}

/** Groups to tick. */
export function GroupChoice({ groups, chosen, onChange, isDisabled = false }: GroupChoiceProps) {
  if (groups.length === 0) return <p className="text-12 text-text-2">{words.people.noGroupsYet}</p>;
  return (
    <div className="flex max-h-56 flex-col overflow-y-auto">
      {groups.map(({ id, name }) => (
        <Checkbox
          key={id}
          isDisabled={isDisabled}
          isSelected={chosen.includes(id)}
          onChange={isChosen => onChange(isChosen ? [...chosen, id] : chosen.filter(one => one !== id))}
        >
          <span className="truncate">{name}</span>
        </Checkbox>
      ))}
    </div>
  );
}
