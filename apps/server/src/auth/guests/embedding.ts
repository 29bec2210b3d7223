import { isAtLeast, type EmbedKey, type GuestView } from '@belvedere/api';
import { unfitAttribute } from '@belvedere/model';
import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../../access/caller.ts';
import type { Directory } from '../../access/directory.ts';
import { guestDashboard, type Guest } from '../../access/guest.ts';
import { ProblemError } from '../../http/problems.ts';
import { EmbedKeyRecords, type EmbedKeyRecord } from '../../state/sharing/embed-keys.ts';
import type { DocumentIds } from '../../state/documents/document-ids.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { TeamSettings } from '../../state/administration/team-settings.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import { modelsNamed, type Workspace } from '../../workspace/workspace.ts';
import { embedRefused, maxTokenMs, verifyEmbedToken, type EmbedClaims } from './embed-token.ts';
import { GuestCallers, sealedTokenOf } from './guest-callers.ts';
import { LatestRecords } from '../accounts/latest-records.ts';
import { TextSealer } from '../secrets/sealed-text.ts';
import type { SealingSecrets } from '../secrets/stored-secret.ts';
import { newToken } from '../secrets/token-hash.ts';

const maxKeys = 100;
/** Of one name: the one in use, and the one that takes its place. */
const maxOfName = 2;
/** The last use is recorded to this precision. */
const usedMs = 60_000;

/** What a guest's token says, sealed. */
interface EmbedGuest extends Guest {
  readonly key: string;
  readonly viewer?: string;
  readonly until: number;
}

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

interface Opening {
  readonly token: string;
  /** Undefined for a server that exports. */
  readonly origin?: string | undefined;
  readonly dashboard: string;
  readonly tile?: string | undefined;
}

interface NewKey {
  readonly name: string;
  readonly origins: readonly string[];
  /** Each with its file; undefined for all dashboards. */
  readonly dashboards: readonly { readonly id: string; readonly file: string }[] | undefined;
}

/**
 * The keys with which other sites sign what their users see, and the guests in their frames. All keys are in
 * memory, so that requests need no query. A guest's token names the key, which is looked up at each request:
 * a revoked key ends what it shows at once.
 */
export class Embedding {
  readonly #records: EmbedKeyRecords;
  readonly #parts: Parts;
  readonly #guests: TextSealer;
  readonly #secrets: TextSealer;
  readonly #callers: GuestCallers;
  readonly #latest: LatestRecords<EmbedKeyRecord>;
  #byId = new Map<string, EmbedKeyRecord>();
  /** Creations wait for each other, so that their limits hold. */
  #creating: Promise<unknown> = Promise.resolve();

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#records = new EmbedKeyRecords(parts.state, parts.ids);
    this.#latest = new LatestRecords(() => this.#records.all());
    this.#guests = new TextSealer(parts.secrets, 'embeds');
    this.#secrets = new TextSealer(parts.secrets, 'embed keys');
    this.#callers = new GuestCallers(parts.workspace);
  }

  static async open(parts: Parts): Promise<Embedding> {
    const embedding = new Embedding(parts);
    await embedding.#load();
    // Also called when dashboards move or go.
    parts.directory.subscribe(() => void embedding.#load().catch(() => {}));
    return embedding;
  }

  get isOn(): boolean {
    return this.#parts.settings.hasEmbedding;
  }

  async switch(isOn: boolean): Promise<void> {
    await this.#parts.settings.set('hasEmbedding', isOn);
    this.#latest.notify();
  }

  /** Calls a function after keys have ended. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    return this.#latest.subscribe(listener);
  }

  /** The sites that may show a page of embedding in a frame: those of all keys that work. */
  get origins(): readonly string[] {
    const active = [...this.#byId.values()].filter(key => this.#isActive(key));
    return [...new Set(active.flatMap(({ origins }) => origins))].toSorted();
  }

  /** The newest first. */
  list(): EmbedKey[] {
    return [...this.#byId.values()].map(key => this.#asAnswer(key));
  }

  /** @returns the key, and its secret, which cannot be read again */
  create(key: NewKey, createdBy: string): Promise<{ readonly key: EmbedKey; readonly secret: string }> {
    return this.#inTurn(() => {
      if (this.#ofName(key.name).length > 0)
        throw new ProblemError('request-invalid', `There is a key “${key.name}”. Rotate it.`, {
          errors: [{ path: 'name', message: 'is taken' }],
        });
      return this.#add(key, createdBy);
    });
  }

  /**
   * Creates a key beside one of the same name. @throws ProblemError `not-found`, or `request-invalid` if there
   * are two
   */
  rotate(
    id: string,
    fileOf: (dashboard: string) => string | undefined,
    createdBy: string,
  ): Promise<{ readonly key: EmbedKey; readonly secret: string }> {
    return this.#inTurn(() => {
      const { name, origins, dashboards } = this.#get(id);
      if (this.#ofName(name).length >= maxOfName)
        throw new ProblemError(
          'request-invalid',
          `There are two keys “${name}”. Revoke the older one first.`,
        );
      const files = dashboards?.flatMap(dashboard => {
        const file = fileOf(dashboard);
        return file === undefined ? [] : { id: dashboard, file };
      });
      return this.#add({ name, origins, dashboards: files }, createdBy);
    });
  }

  /** @returns the key that no longer works. @throws ProblemError `not-found` */
  async revoke(id: string): Promise<EmbedKeyRecord> {
    const found = this.#get(id);
    await this.#records.remove(id);
    this.#latest.noteChange();
    this.#byId.delete(id);
    this.#latest.notify();
    return found;
  }

  /**
   * Exchanges a signed token for a guest's own, which lives no longer.
   *
   * @throws ProblemError `embed-refused`
   */
  async openEmbed({ token, origin, dashboard, tile }: Opening): Promise<{
    readonly token: string;
    readonly downloads: boolean;
    readonly theme: EmbedClaims['theme'];
    readonly locale?: string;
    readonly endsInMs: number;
  }> {
    const now = this.#parts.clock.wall();
    const { kid, claims } = await verifyEmbedToken(token, id => this.#secretOf(id), now);
    const key = this.#byId.get(kid);
    if (!key || !this.#isActive(key)) throw embedRefused('The key was revoked.');
    if (origin !== undefined && !key.origins.includes(origin))
      throw embedRefused('The site around this frame is not one of the key’s origins.');
    if (claims.dashboard !== dashboard) throw embedRefused('The token is of another dashboard.');
    if (claims.tile !== undefined && claims.tile !== tile) throw embedRefused('The token is of one tile.');
    const view = viewOf(claims);
    const guest: Guest = {
      dashboard,
      view,
      ...(tile !== undefined && { tile }),
      isStrict: true,
      // Exchanging a token again gives no more requests.
      opening: createHash('sha256').update(token).digest('base64url').slice(0, 16),
    };
    this.#requireShowable(key, guest);
    const until = Math.min(claims.exp * 1000, now + maxTokenMs);
    const sealed: EmbedGuest = {
      ...guest,
      key: kid,
      ...(claims.sub !== undefined && { viewer: claims.sub }),
      until,
    };
    await this.#setUsed(key, now);
    return {
      token: this.#guests.seal(JSON.stringify(sealed), ''),
      downloads: view.downloads,
      theme: claims.theme,
      ...(claims.locale !== undefined && { locale: claims.locale }),
      endsInMs: until - now,
    };
  }

  /** Returns the guest whose token a request sends; undefined once the token or its key has ended. */
  find(authorization: string): Caller | undefined {
    const sealed = sealedTokenOf(authorization);
    const text = sealed === undefined ? undefined : this.#guests.open(sealed, '');
    if (text === undefined) return undefined;
    const guest = JSON.parse(text) as EmbedGuest;
    const key = this.#byId.get(guest.key);
    if (!key || !this.#isActive(key) || !isFor(key, guest.dashboard)) return undefined;
    if (guest.until <= this.#parts.clock.wall()) return undefined;
    const source = guest.viewer === undefined ? key.id : `${key.id}:${guest.viewer}`;
    return this.#callers.callerFor(`Embedding “${key.name}”`, source, guest);
  }

  /** Reads all keys again, after another server has changed some. */
  followOthers(): Promise<void> {
    return this.#load();
  }

  async #load(): Promise<void> {
    const keys = await this.#latest.read();
    if (!keys) return;
    this.#byId = new Map(keys.map(key => [key.id, key]));
    this.#latest.notify();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#creating.then(work);
    this.#creating = done.catch(() => {});
    return done;
  }

  async #add({ name, origins, dashboards }: NewKey, createdBy: string) {
    if (!this.isOn)
      throw new ProblemError(
        'not-allowed',
        'Embedding is switched off. An owner can switch it on under Settings › Embedding.',
      );
    if (this.#byId.size >= maxKeys)
      throw new ProblemError('request-invalid', `There are ${maxKeys} keys. Revoke some of them.`);
    const secret = newToken();
    const id = randomUUID();
    const record: EmbedKeyRecord = {
      id,
      name,
      sealedSecret: this.#secrets.seal(secret, id),
      origins: [...new Set(origins)],
      ...(dashboards && { dashboards: dashboards.map(dashboard => dashboard.id) }),
      createdBy,
      createdAt: new Date(this.#parts.clock.wall()).toISOString(),
    };
    await this.#records.add(record, dashboards?.map(({ file }) => file) ?? []);
    this.#latest.noteChange();
    this.#byId = new Map([[id, record], ...this.#byId]);
    return { key: this.#asAnswer(record), secret };
  }

  #get(id: string): EmbedKeyRecord {
    const found = this.#byId.get(id);
    if (!found) throw new ProblemError('not-found', 'This key was already revoked.');
    return found;
  }

  #ofName(name: string): EmbedKeyRecord[] {
    return [...this.#byId.values()].filter(key => key.name === name);
  }

  #secretOf(id: string): string | undefined {
    const key = this.#byId.get(id);
    return key && this.#isActive(key) ? this.#secrets.open(key.sealedSecret, key.id) : undefined;
  }

  /** A key shows any rows, and so works only as long as its maker is an admin. */
  #isActive({ createdBy }: EmbedKeyRecord): boolean {
    const maker = this.#parts.directory.callerOf(createdBy, this.#parts.workspace());
    return this.isOn && maker !== undefined && isAtLeast(maker.role, 'admin');
  }

  /**
   * A filter that applies to no rows, or an attribute that no policy reads, would silently show too much.
   *
   * @throws ProblemError `embed-refused`
   */
  #requireShowable(key: EmbedKeyRecord, guest: Guest): void {
    const workspace = this.#parts.workspace();
    const found = workspace.dashboards.get(guest.dashboard);
    if (!isFor(key, guest.dashboard) || found?.origin !== 'saved')
      throw embedRefused('The key has no such dashboard.');
    const { document } = guestDashboard(found, guest);
    if (!document) throw embedRefused('The dashboard has no such page or tile, or an error in its file.');
    const models = modelsNamed(document).flatMap(name => workspace.models.get(name)?.model ?? []);
    const { filters, attributes = {} } = guest.view;
    for (const [field, rule] of Object.entries(filters)) {
      const isChoice = rule.change === 'any' || rule.value === null;
      if (isChoice && !document.filters?.some(filter => filter.field === field))
        throw embedRefused(`The dashboard has no filter \`${field}\`.`);
      if (!isChoice && !models.every(model => Object.hasOwn(model.dimensions, field)))
        throw embedRefused(`Not every model of the dashboard has the field \`${field}\`.`);
    }
    const unfit = unfitAttribute(
      Array.from(workspace.models.values(), ({ model }) => model),
      attributes,
    );
    if (unfit !== undefined)
      throw embedRefused(`No row policy has the attribute \`${unfit}\`, or not of this type.`);
  }

  async #setUsed(key: EmbedKeyRecord, now: number): Promise<void> {
    if (key.usedAt !== undefined && now - Date.parse(key.usedAt) < usedMs) return;
    const usedAt = new Date(now).toISOString();
    // It may have been revoked meanwhile.
    const known = this.#byId.get(key.id);
    if (known) this.#byId.set(key.id, { ...known, usedAt });
    await this.#records.setUsed(key.id, usedAt);
  }

  #asAnswer(key: EmbedKeyRecord): EmbedKey {
    const { id, name, origins, dashboards, createdBy, createdAt, usedAt } = key;
    const shown = this.#parts.workspace().dashboards;
    return {
      id,
      name,
      origins: [...origins],
      ...(dashboards && {
        dashboards: dashboards.map(dashboard => ({
          id: dashboard,
          title: shown.get(dashboard)?.title ?? dashboard,
        })),
      }),
      createdBy: this.#parts.directory.users.get(createdBy)?.name ?? '',
      createdAt,
      ...(usedAt !== undefined && { usedAt }),
      state: this.#isActive(key) ? 'active' : 'off',
    };
  }
}

function isFor({ dashboards }: EmbedKeyRecord, dashboard: string): boolean {
  return dashboards === undefined || dashboards.includes(dashboard);
}

/** Returns what a token shows, as public links say it. */
function viewOf({ pages, locked, limited, free, downloads, attributes }: EmbedClaims): GuestView {
  return {
    ...(pages && { pages }),
    filters: {
      ...Object.fromEntries(
        Object.entries(locked).map(([field, value]) => [field, { change: 'no', value }] as const),
      ),
      ...Object.fromEntries(
        Object.entries(limited).map(([field, value]) => [field, { change: 'within', value }] as const),
      ),
      ...Object.fromEntries(free.map(field => [field, { change: 'any' }] as const)),
    },
    downloads,
    ...(attributes && { attributes }),
  };
}
