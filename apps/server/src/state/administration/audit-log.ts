import type { AuditEntry } from '@belvedere/api';
import { sql } from 'kysely';
import type { StateDatabase } from '../database/state-database.ts';

const searched = ['actor', 'address', 'action', 'object', 'outcome', 'detail'] as const;

export interface NewAuditEntry extends Omit<AuditEntry, 'id' | 'at'> {
  readonly actorId?: string;
}

interface Search {
  readonly search?: string | undefined;
  /** For words of the search in lower case, the codes that also match them. */
  readonly labels?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly action?: string | undefined;
  readonly outcome?: AuditEntry['outcome'] | undefined;
  /** Only entries since then, as an ISO time in UTC. */
  readonly from?: string | undefined;
  /** Only entries before this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

type Outcome = AuditEntry['outcome'];

function contains(column: (typeof searched)[number], text: string) {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

/**
 * Who did what, and when. Entries are added and listed, never changed; they are deleted once their
 * retention has passed. They contain no passwords, tokens or data.
 */
export class AuditLog {
  readonly #state: StateDatabase;
  readonly #listeners = new Set<(entry: Omit<AuditEntry, 'id'>) => void>();

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Calls `tell` with each entry once it is added. */
  subscribe(tell: (entry: Omit<AuditEntry, 'id'>) => void): void {
    this.#listeners.add(tell);
  }

  async add(entry: NewAuditEntry): Promise<void> {
    const { actor, actorId, address, action, object, outcome, detail } = entry;
    const at = new Date().toISOString();
    await this.#state.db
      .insertInto('audit')
      .values({
        at,
        actor: actor ?? null,
        actor_id: actorId ?? null,
        address: address ?? null,
        action,
        object: object ?? null,
        outcome,
        detail: detail ?? null,
      })
      .execute();
    for (const tell of this.#listeners) tell({ at, ...entry });
  }

  /** Lists entries, newest first. */
  async list({ search = '', labels, action, outcome, from, before, limit }: Search): Promise<AuditEntry[]> {
    let query = this.#state.db
      .selectFrom('audit')
      .select(['id', 'at', 'actor', 'address', 'action', 'object', 'outcome', 'detail'])
      .orderBy('id', 'desc')
      .limit(limit);
    if (before !== undefined) query = query.where('id', '<', before);
    if (action !== undefined) query = query.where('action', '=', action);
    if (outcome !== undefined) query = query.where('outcome', '=', outcome);
    if (from !== undefined) query = query.where('at', '>=', from);
    for (const word of search.toLowerCase().split(/\s+/).filter(Boolean)) {
      const codes = labels?.get(word) ?? [];
      query = query.where(({ or, eb }) =>
        or([
          ...searched.map(column => contains(column, word)),
          ...(codes.length > 0 ? [eb('action', 'in', codes), eb('outcome', 'in', codes as Outcome[])] : []),
          // Actions have a dot, and are in no other column.
          ...codes
            .filter(code => !code.includes('.'))
            .flatMap(code => [contains('detail', code), contains('object', code)]),
        ]),
      );
    }
    const rows = await query.execute();
    return rows.map(
      row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as AuditEntry,
    );
  }

  /** Deletes entries from before a time. */
  async prune(before: Date): Promise<void> {
    await this.#state.db.deleteFrom('audit').where('at', '<', before.toISOString()).execute();
  }
}
