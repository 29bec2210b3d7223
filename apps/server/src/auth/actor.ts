import type { UserAccount } from '@belvedere/api';
import type { NewAuditEntry } from '../state/administration/audit-log.ts';
import type { User } from '../state/accounts/users.ts';
import type { Actor } from './sign-in/sign-in.ts';
import type { Origin } from './sessions/team-sessions.ts';

export function actorOf(person: User, { address }: Origin): Actor {
  return { id: person.id, label: userLabel(person), role: person.role, address };
}

export function actedBy({
  id,
  label: actor,
  address,
}: Actor): Pick<NewAuditEntry, 'actor' | 'actorId' | 'address'> {
  return { actor, ...(id !== undefined && { actorId: id }), ...(address !== undefined && { address }) };
}

export function userLabel({ name, email }: Pick<UserAccount, 'name' | 'email'>): string {
  return `${name} (${email})`;
}
