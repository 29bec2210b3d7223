import type { Subject } from '@belvedere/api';
import { Globe, Megaphone, UserRound, UsersRound } from 'lucide-react';

interface SubjectIconProps {
  readonly kind: Subject['kind'] | 'channel';
}

const icons = { user: UserRound, group: UsersRound, everyone: Globe, channel: Megaphone } as const;

/** An icon for a user, a group, everyone or a channel. */
export function SubjectIcon({ kind }: SubjectIconProps) {
  const Icon = icons[kind];
  return (
    <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-hover text-text-2">
      <Icon size={15} aria-hidden />
    </span>
  );
}
