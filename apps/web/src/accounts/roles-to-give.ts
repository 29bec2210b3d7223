import { roles, type Role } from '@belvedere/api';

/** Returns the roles that a user may give to others: only owners make owners. */
export const rolesToGive = (role: Role | undefined): readonly Role[] =>
  roles.filter(one => one !== 'owner' || role === 'owner');
