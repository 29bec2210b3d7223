import type { StateDatabase } from '../../state/database/state-database.ts';

/** Adds the owner Ana to a state database. @param at when the account was made, ISO 8601 */
export async function addAna({ db }: StateDatabase, at: string): Promise<void> {
  await db
    .insertInto('user')
    .values({
      id: 'ana',
      name: 'Ana',
      email: 'ana@example.org',
      email_verified: 1,
      role: 'owner',
      attributes: '{}',
      created_at: at,
      updated_at: at,
    })
    .execute();
}
