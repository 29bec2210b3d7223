import { includesLevel, sharedDashboardId, type GuestView, type PublicLink } from '@belvedere/api';
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import { maxExportedRows } from '../../access/export-limit.ts';
import type { Guest } from '../../access/guest.ts';
import { levelOf } from '../../access/may.ts';
import { ProblemError } from '../../http/problems.ts';
import { PublicLinkRecords, type LinkRecord } from '../../state/sharing/public-links.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { AttemptLimit } from '../limits/attempt-limits.ts';
import { GuestCallers, sealedTokenOf } from './guest-callers.ts';
import { hashPassword, verifyPassword } from '../passwords/password-hash.ts';
import { LatestRecords } from '../accounts/latest-records.ts';
import { TextSealer } from '../secrets/sealed-text.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';
import type { DocumentIds } from '../../state/documents/document-ids.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { Clock } from '../../state/database/wall-clock.ts';

const maxOfDashboard = 100;
/** After it, a page that stays open opens its link again. */
const guestMs = 12 * 3_600_000;
const previewMs = 10 * 60_000;
const [maxPassphrases, passphraseWindowMs] = [10, 15 * 60_000];

/** What a guest's token says, sealed: a link, or a view that is not a link yet and who tries it. */
type GuestToken = { readonly nonce: string; readonly until: number } & (
  | { readonly link: string }
  | { readonly dashboard: string; readonly view: GuestView; readonly by: string }
);

interface Parts {
  readonly state: StateDatabase;
  readonly ids: DocumentIds;
  readonly settings: TeamSettings;
  /** The instance's secrets. */
  readonly secrets: SealingSecrets;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly workspace: () => Workspace;
}

/**
 * The public links, and the guests who have opened them. All links are in memory, so that requests need no
 * query. A guest's token is sealed with the instance's secret and names the link, which is looked up at each
 * request: a revoked link ends at once.
 */
export class PublicLinks {
  readonly #records: PublicLinkRecords;
  readonly #parts: Parts;
  readonly #sealer: TextSealer;
  readonly #passphrases: AttemptLimit;
  readonly #latest: LatestRecords<LinkRecord>;
  #byId = new Map<string, LinkRecord>();
  readonly #callers: GuestCallers;
  /** Openings of each link that wait to be counted together. */
  readonly #openings = new Map<string, { count: number; readonly counted: Promise<void> }>();

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = new PublicLinkRecords(parts.state, parts.ids);
    this.#latest = new LatestRecords(() => this.#records.all());
    this.#sealer = new TextSealer(parts.secrets, 'guests');
    this.#callers = new GuestCallers(parts.workspace);
    this.#passphrases = new AttemptLimit(maxPassphrases, passphraseWindowMs, () => performance.now());
  }

  static async open(parts: Parts): Promise<PublicLinks> {
    const links = new PublicLinks(parts);
    await links.#load();
    // Also called when dashboards move or go.
    parts.directory.subscribe(() => void links.#load().catch(() => {}));
    return links;
  }

  get isOn(): boolean {
    return this.#parts.settings.hasPublicLinks;
  }

  async switch(isOn: boolean): Promise<void> {
    await this.#parts.settings.set('hasPublicLinks', isOn);
    this.#latest.notify();
  }

  /** Calls a function after links have ended. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    return this.#latest.subscribe(listener);
  }

  /** The newest first. @param dashboard all links if undefined */
  list(dashboard?: string): PublicLink[] {
    return [...this.#byId.values()]
      .filter(link => dashboard === undefined || link.dashboard === dashboard)
      .map(link => this.#asAnswer(link));
  }

  /** @returns the link, and the secret of its address, which cannot be read again */
  async create(
    dashboard: { readonly id: string; readonly file: string },
    {
      name,
      days,
      passphrase,
      maxOpens,
      ...view
    }: GuestView & {
      readonly name: string;
      readonly days: number;
      readonly passphrase?: string | undefined;
      readonly maxOpens?: number | undefined;
    },
    createdBy: string,
  ): Promise<{ readonly link: PublicLink; readonly secret: string }> {
    this.#requireOn();
    const own = this.list(dashboard.id);
    if (own.length >= maxOfDashboard)
      throw new ProblemError('request-invalid', `There are ${own.length} links. Revoke some of them.`);
    const secret = newToken();
    const now = this.#parts.clock.wall();
    const record: LinkRecord = {
      id: randomUUID(),
      hash: tokenHash(secret),
      dashboard: dashboard.id,
      name,
      view,
      ...(passphrase !== undefined && { passphraseHash: await hashPassword(passphrase) }),
      ...(maxOpens !== undefined && { maxOpens }),
      opens: 0,
      createdBy,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + days * 86_400_000).toISOString(),
    };
    await this.#records.add(record, dashboard.file);
    this.#latest.noteChange();
    this.#byId = new Map([[record.id, record], ...this.#byId]);
    return { link: this.#asAnswer(record), secret };
  }

  /**
   * Lets a link end so many days from now.
   *
   * @param mayExtend throws if the caller may only shorten it
   * @throws ProblemError `not-found` unless the dashboard has it
   */
  async setLife(
    id: string,
    days: number,
    dashboard: string | undefined,
    mayExtend: (link: LinkRecord) => void,
  ): Promise<{ readonly before: LinkRecord; readonly link: PublicLink }> {
    const before = this.#get(id, dashboard);
    const expiresAt = new Date(this.#parts.clock.wall() + days * 86_400_000).toISOString();
    if (expiresAt > before.expiresAt) {
      this.#requireOn();
      mayExtend(before);
    }
    await this.#records.setExpiry(id, expiresAt);
    this.#latest.noteChange();
    // It may have been revoked or opened meanwhile.
    const now = this.#get(id, dashboard);
    this.#byId.set(id, { ...now, expiresAt });
    this.#latest.notify();
    return { before, link: this.#asAnswer({ ...now, expiresAt }) };
  }

  /** @returns the link that no longer works. @throws ProblemError `not-found` unless the dashboard has it */
  async revoke(id: string, dashboard?: string): Promise<LinkRecord> {
    const found = this.#get(id, dashboard);
    await this.#records.remove(id);
    this.#latest.noteChange();
    this.#byId.delete(id);
    this.#latest.notify();
    return found;
  }

  /** A guest's token for what a link would show. */
  preview(dashboard: string, view: GuestView, by: string): string {
    this.#requireOn();
    return this.#seal({ dashboard, view, by, ...this.#fresh(previewMs) });
  }

  /**
   * Opens a link for one guest and counts it.
   *
   * @param network whose attempts at the passphrase are counted
   * @throws ProblemError `link-ended`, `passphrase-needed`, `passphrase-wrong`, `rate-limited`
   */
  async openLink(
    secret: string,
    passphrase: string | undefined,
    network: string,
  ): Promise<{ readonly token: string; readonly downloads: boolean }> {
    const link = this.#active(secret);
    if (link.passphraseHash !== undefined) {
      if (passphrase === undefined)
        throw new ProblemError('passphrase-needed', 'Enter the passphrase of this link.');
      const key = `${link.id} ${network}`;
      this.#passphrases.take(key);
      if (!(await verifyPassword({ hash: link.passphraseHash, password: passphrase })))
        throw new ProblemError('passphrase-wrong', 'This is not the passphrase of this link.');
      this.#passphrases.clear(key);
    }
    await this.#countOpening(link);
    return {
      token: this.#seal({ link: link.id, ...this.#fresh(guestMs) }),
      downloads: link.view.downloads,
    };
  }

  /**
   * Returns the title of a link's dashboard, without counting an opening; undefined if the link has a
   * passphrase or counts openings, so that only those who open it learn the title.
   *
   * @throws ProblemError `link-ended`
   */
  titleOf(secret: string): string | undefined {
    const { dashboard, passphraseHash, maxOpens } = this.#active(secret);
    if (passphraseHash !== undefined || maxOpens !== undefined) return undefined;
    return this.#parts.workspace().dashboards.get(dashboard)?.title;
  }

  /** Returns the guest whose token a request sends; undefined once the link has ended. */
  find(authorization: string): Caller | undefined {
    const sealed = sealedTokenOf(authorization);
    const text = sealed === undefined ? undefined : this.#sealer.open(sealed, '');
    if (text === undefined || !this.isOn) return undefined;
    const token = JSON.parse(text) as GuestToken;
    if (token.until <= this.#parts.clock.wall()) return undefined;
    if (!('link' in token))
      return this.#mayShare(token.by, token.dashboard, token.view)
        ? this.#callers.callerFor('Preview', token.by, {
            ...token,
            ...this.#exportLimit(token.by, token.dashboard),
            opening: token.nonce,
          })
        : undefined;
    const link = this.#byId.get(token.link);
    // A link that was opened as often as it may be goes on for those who opened it.
    if (!link || !['active', 'used-up'].includes(this.#stateOf(link))) return undefined;
    return this.#callers.callerFor(`Link “${link.name}”`, link.id, {
      ...link,
      ...this.#exportLimit(link.createdBy, link.dashboard),
      opening: token.nonce,
    });
  }

  async prune(now: number): Promise<void> {
    await this.#records.prune(new Date(now));
    await this.#load();
  }

  /** Reads all links again, after another server has changed some. */
  followOthers(): Promise<void> {
    return this.#load();
  }

  /**
   * Openings that come at once are counted by one write, which waits for the disk. Those of a link with a limit
   * are counted one by one, since each may be the last.
   *
   * @throws ProblemError `link-ended`
   */
  #countOpening({ id, maxOpens }: LinkRecord): Promise<void> {
    const others = this.#openings.get(id);
    if (others && maxOpens === undefined) {
      others.count++;
      return others.counted;
    }
    const openings = {
      count: 1,
      counted: setImmediate().then(async () => {
        this.#openings.delete(id);
        const openedAt = new Date(this.#parts.clock.wall()).toISOString();
        const opens = await this.#records.countOpenings(id, openings.count, openedAt);
        // It may have been revoked meanwhile, too.
        const now = this.#byId.get(id);
        if (opens === undefined || !now) throw linkEnded();
        this.#byId.set(id, { ...now, opens, openedAt });
      }),
    };
    if (maxOpens === undefined) this.#openings.set(id, openings);
    return openings.counted;
  }

  #active(secret: string): LinkRecord {
    const hash = tokenHash(secret);
    const link = [...this.#byId.values()].find(one => one.hash === hash);
    if (!link || this.#stateOf(link) !== 'active') throw linkEnded();
    return link;
  }

  #get(id: string, dashboard: string | undefined): LinkRecord {
    const found = this.#byId.get(id);
    if (!found || (dashboard !== undefined && found.dashboard !== dashboard))
      throw new ProblemError('not-found', 'This link was already revoked.');
    return found;
  }

  /** Reads all links. */
  async #load(): Promise<void> {
    const links = await this.#latest.read();
    if (!links) return;
    this.#byId = new Map(links.map(link => [link.id, link]));
    this.#latest.notify();
  }

  #requireOn(): void {
    if (!this.isOn)
      throw new ProblemError(
        'not-allowed',
        'Public links are switched off. An owner can switch them on under Settings › Links.',
      );
  }

  #fresh(lifeMs: number): Pick<GuestToken, 'nonce' | 'until'> {
    return { nonce: randomBytes(9).toString('base64url'), until: this.#parts.clock.wall() + lifeMs };
  }

  #seal(token: GuestToken): string {
    return this.#sealer.seal(JSON.stringify(token), '');
  }

  /** Attributes of one's choice would show the rows of others: only those who see all rows may set them. */
  #mayShare(userId: string, dashboard: string, view: GuestView): boolean {
    const workspace = this.#parts.workspace();
    const maker = this.#parts.directory.callerOf(userId, workspace);
    const level = maker && levelOf(maker, { kind: 'dashboard', id: dashboard }, workspace);
    return includesLevel(level, 'manage') && (view.attributes === undefined || maker?.rows === 'all');
  }

  /** Guests export no more rows than the link's maker may. */
  #exportLimit(userId: string, id: string): Pick<Guest, 'exportRows'> {
    const workspace = this.#parts.workspace();
    const maker = this.#parts.directory.callerOf(userId, workspace);
    const exportRows = maker ? maxExportedRows(maker, { kind: 'dashboard', id }, workspace) : Infinity;
    return Number.isFinite(exportRows) ? { exportRows } : {};
  }

  #stateOf(link: LinkRecord): PublicLink['state'] {
    if (Date.parse(link.expiresAt) <= this.#parts.clock.wall()) return 'expired';
    if (!this.isOn || !this.#mayShare(link.createdBy, link.dashboard, link.view)) return 'off';
    return link.maxOpens !== undefined && link.opens >= link.maxOpens ? 'used-up' : 'active';
  }

  #asAnswer(link: LinkRecord): PublicLink {
    const { id, name, dashboard, view, createdBy, createdAt, expiresAt, opens, maxOpens, openedAt } = link;
    return {
      id,
      name,
      dashboard: {
        id: dashboard,
        title: this.#parts.workspace().dashboards.get(dashboard)?.title ?? dashboard,
      },
      createdBy: this.#parts.directory.users.get(createdBy)?.name ?? '',
      createdAt,
      expiresAt,
      state: this.#stateOf(link),
      opens,
      ...(maxOpens !== undefined && { maxOpens }),
      ...(openedAt !== undefined && { openedAt }),
      hasPassphrase: link.passphraseHash !== undefined,
      ...(view.pages && { pages: view.pages }),
      downloads: view.downloads,
    };
  }
}

/** The same for a link that ended and for one that never was. */
export function linkEnded(): ProblemError {
  return new ProblemError(
    'link-ended',
    'It has expired, was revoked, or has reached its number of views. Ask the person who gave it to you.',
  );
}

/** What guests call their dashboard, as the dashboard that it is. @throws ProblemError `not-found` */
export function dashboardOfGuest(id: string | undefined, dashboard: string): string {
  if (id !== sharedDashboardId) throw new ProblemError('not-found', 'Dashboard not found.');
  return dashboard;
}
