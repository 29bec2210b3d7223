import { DashboardState, type Me, type SavedView } from '@belvedere/api';
import { ProblemError } from '../../http/problems.ts';
import { dashboardAt } from '../documents/document-ids.ts';
import type { StateDatabase } from '../database/state-database.ts';

const maxRecentDashboards = 24;
const maxViews = 1000;

/** Per-user data: favourites, recent dashboards with their last states, and saved views. */
export class UserPreferences {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /**
   * @param isThere whether a dashboard exists; views of missing dashboards, for example of those in the
   * trash, are omitted
   */
  async of(userId: string, isThere: (dashboard: string) => boolean): Promise<Me> {
    const { db } = this.#state;
    const there = <Row extends { readonly path: string }>(rows: readonly Row[]) =>
      rows.flatMap(({ path, ...row }) => {
        const dashboard = dashboardAt(path);
        return dashboard !== undefined && isThere(dashboard) ? [{ dashboard, ...row }] : [];
      });
    const favourites = await db
      .selectFrom('favourite')
      .innerJoin('document', 'document.id', 'favourite.document_id')
      .select('document.path')
      .where('favourite.user_id', '=', userId)
      .where('document.deleted_at', 'is', null)
      .orderBy('favourite.at')
      .orderBy('document.path')
      .execute();
    const recent = await db
      .selectFrom('recent')
      .innerJoin('document', 'document.id', 'recent.document_id')
      .select(['document.path', 'recent.state'])
      .where('recent.user_id', '=', userId)
      .where('document.deleted_at', 'is', null)
      .orderBy('recent.at', 'desc')
      .execute();
    const views = await db
      .selectFrom('view')
      .innerJoin('document', 'document.id', 'view.document_id')
      .select(['document.path', 'view.name', 'view.at', 'view.state'])
      .where('view.user_id', '=', userId)
      .where('document.deleted_at', 'is', null)
      .orderBy('document.path')
      .orderBy('view.name')
      .execute();
    return {
      favourites: there(favourites).map(({ dashboard }) => dashboard),
      recent: there(recent).map(({ dashboard, state }) => ({ dashboard, ...readState(state) })),
      views: there(views).flatMap(row => viewOf(row) ?? []),
    };
  }

  async mark(userId: string, documentId: string, isFavourite: boolean): Promise<void> {
    const { db } = this.#state;
    if (isFavourite)
      await db
        .insertInto('favourite')
        .values({ user_id: userId, document_id: documentId, at: now() })
        .onConflict(conflict => conflict.doNothing())
        .execute();
    else
      await db
        .deleteFrom('favourite')
        .where('user_id', '=', userId)
        .where('document_id', '=', documentId)
        .execute();
  }

  /**
   * @param state the state when leaving; null if it equals the default, undefined if the dashboard was only
   * opened
   */
  async lookedAt(
    userId: string,
    documentId: string,
    state: DashboardState | null | undefined,
  ): Promise<void> {
    const { db } = this.#state;
    const text = state ? JSON.stringify(state) : null;
    const at = now();
    await db
      .insertInto('recent')
      .values({ user_id: userId, document_id: documentId, at, state: text })
      .onConflict(conflict =>
        conflict
          .columns(['user_id', 'document_id'])
          .doUpdateSet({ at, ...(state !== undefined && { state: text }) }),
      )
      .execute();
    const newest = db
      .selectFrom('recent')
      .select('document_id')
      .where('user_id', '=', userId)
      .orderBy('at', 'desc')
      .limit(maxRecentDashboards);
    await db
      .deleteFrom('recent')
      .where('user_id', '=', userId)
      .where('document_id', 'not in', newest)
      .execute();
  }

  /** @throws ProblemError if there are too many */
  async keepView(
    userId: string,
    documentId: string,
    name: string,
    state: DashboardState,
  ): Promise<Omit<SavedView, 'dashboard'>> {
    const { db } = this.#state;
    const { count } = await db
      .selectFrom('view')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where(({ not, and }) => not(and({ document_id: documentId, name })))
      .executeTakeFirstOrThrow();
    if (count >= maxViews)
      throw new ProblemError(
        'request-invalid',
        `You have ${maxViews} saved views, the maximum. Delete one first.`,
      );
    const at = now();
    const text = JSON.stringify(state);
    await db
      .insertInto('view')
      .values({ user_id: userId, document_id: documentId, name, at, state: text })
      .onConflict(conflict =>
        conflict.columns(['user_id', 'document_id', 'name']).doUpdateSet({ at, state: text }),
      )
      .execute();
    return { name, state, at };
  }

  async removeView(userId: string, documentId: string, name: string): Promise<void> {
    await this.#state.db
      .deleteFrom('view')
      .where('user_id', '=', userId)
      .where('document_id', '=', documentId)
      .where('name', '=', name)
      .execute();
  }
}

function now(): string {
  return new Date().toISOString();
}

function readState(text: string | null): { readonly state?: DashboardState } {
  const read = DashboardState.safeParse(JSON.parse(text ?? 'null'));
  return read.success ? { state: read.data } : {};
}

function viewOf({
  dashboard,
  name,
  at,
  state,
}: {
  readonly dashboard: string;
  readonly name: string;
  readonly at: string;
  readonly state: string;
}): SavedView | undefined {
  const read = readState(state);
  return read.state && { dashboard, name, at, state: read.state };
}
