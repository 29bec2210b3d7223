import { isDatabaseFile, durationMs, type ServerSource, type SourceFile } from '@belvedere/document';
import { CircuitBreaker, EngineError, type DatabaseEngine, type DatabaseTable } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { limits } from '../../limits.ts';
import { openServer, readSchema } from './open-server.ts';
import type { RememberedTables } from './remembered-tables.ts';
import { schemaDrift } from './schema-drift.ts';
import { pausedProblem, unconfirmedProblem } from './source-access.ts';
import { profileTable, sourceTables } from './source-tables.ts';
import { queryWatermark, watermarkPlans, withWatermark, type WatermarkPlans } from './source-watermarks.ts';
import type { SourceEngine, SourceState } from './source.ts';

/** What a connection needs of the workspace that it is part of. */
export interface SourceEnvironment {
  readonly root: string;
  readonly remembered: RememberedTables;
  /** Runs the first contact with a server. */
  readonly contact: <T>(source: ServerSource, work: () => Promise<T>) => Promise<T>;
  /** Called after each change of a state. */
  readonly onChange: () => void;
}

interface NewConnection {
  readonly source: SourceFile;
  /** The hash of its access beyond the workspace; undefined for a file of the workspace. */
  readonly content: string | undefined;
  /** Whether a database has answered at its address, in a team. Until then, nothing is asked of it. */
  readonly isProven: boolean;
  readonly state: SourceState;
}

const firstRetryMs = 2_000;
const longestRetryMs = 60_000;
/** A refused login is not retried sooner, since databases lock accounts. */
const refusedRetryMs = 30_000;
const schemaEveryMs = 5 * 60_000;
const usualRefreshMs = 5 * 60_000;
const maxProfiledTables = 40;
const maxDrift = 50;

/** The connection to one source: connects again after failures, and follows its schema and its data. */
export class SourceConnection {
  readonly source: SourceFile;
  readonly content: string | undefined;
  #state: SourceState;
  readonly #environment: SourceEnvironment;
  readonly #circuit = new CircuitBreaker();
  readonly #timers = new Set<NodeJS.Timeout>();
  #engine: DatabaseEngine | undefined;
  #isClosed = false;
  #isProven: boolean;
  #retryMs = firstRetryMs;
  /** When its results were last invalidated, by a monotonic clock. */
  #refreshedAt = performance.now();
  #connecting: Promise<void> | undefined;
  #watermarkPlans: WatermarkPlans = new Map();
  #queryingWatermarks: Promise<void> | undefined;

  constructor({ source, content, isProven, state }: NewConnection, environment: SourceEnvironment) {
    this.source = source;
    this.content = content;
    this.#isProven = isProven;
    this.#state = state;
    this.#environment = environment;
  }

  get state(): SourceState {
    return this.#state;
  }

  /** The engine to query it with; undefined before it was connected for the first time. */
  get engine(): SourceEngine | undefined {
    return this.#isProven && this.#engine ? { engine: this.#engine, circuit: this.#circuit } : undefined;
  }

  /** Connects a confirmed source, unless it is paused. A database file is ready at once. */
  start(): void {
    if (isDatabaseFile(this.source)) {
      this.#state = { ...this.#state, state: 'ready' };
      return;
    }
    const { paused } = this.#server;
    if (paused === undefined || paused === false) void this.#connect();
    else
      this.#state = {
        ...this.#state,
        state: 'paused',
        ...(typeof paused === 'string' && { pausedFor: paused }),
      };
  }

  /** Connects a source whose access has been confirmed. */
  confirm(): void {
    const { unconfirmed, ...state } = this.#state;
    if (!unconfirmed || this.#isClosed) return;
    this.#state = { ...state, state: 'unchecked', since: new Date().toISOString() };
    this.start();
    this.#environment.onChange();
  }

  /** Reconnects now. @throws ProblemError `source-unconfirmed`, `source-paused` */
  async retry(): Promise<void> {
    if (this.#state.unconfirmed) throw unconfirmedProblem(this.#state);
    if (this.#state.state === 'paused') throw pausedProblem(this.#state);
    if (isDatabaseFile(this.source)) return;
    this.#circuit.retry();
    await this.#connect();
  }

  /** Updates the watermark plans from the models that define one. */
  follow(models: readonly Model[]): void {
    const plans = watermarkPlans(this.#state.name, models);
    if (JSON.stringify([...plans]) === JSON.stringify([...this.#watermarkPlans])) return;
    this.#watermarkPlans = plans;
    void this.#queryWatermarks();
  }

  /** Checks for newer data, if the last check was longer ago than this, or slightly less. */
  async refreshWithin(everyMs: number): Promise<void> {
    if (this.#isClosed || this.#state.state !== 'ready') return;
    if (performance.now() - this.#refreshedAt < 0.9 * Math.max(limits.minRefreshMs, everyMs)) return;
    await this.#expire();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#engine?.close().catch(() => {});
  }

  /** Called only where the source is a server, as in all that follows. */
  get #server(): ServerSource {
    return this.source as ServerSource;
  }

  get #refreshMs(): number {
    const { refresh } = this.#server;
    return Math.max(limits.minRefreshMs, refresh ? durationMs(refresh.every) : usualRefreshMs);
  }

  #set(change: Partial<SourceState>): void {
    if (this.#isClosed) return;
    const isNew = change.state && change.state !== this.#state.state;
    const since = isNew ? new Date().toISOString() : this.#state.since;
    this.#state = { ...this.#state, ...change, since };
    this.#environment.onChange();
  }

  #later(ms: number, work: () => Promise<void>): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isClosed) void work();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }

  /** One attempt at a time: concurrent callers wait for the running one. */
  #connect(): Promise<void> {
    this.#connecting ??= this.#connectNow().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connectNow(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    if (this.#state.state !== 'ready') this.#set({ state: 'connecting' });
    try {
      const found = this.#isProven
        ? await this.#readSchema()
        : await this.#environment.contact(this.#server, () => this.#readSchema());
      if (!found) return;
      this.#isProven = true;
      await this.#updateTables(found.tables);
      this.#retryMs = firstRetryMs;
      const { problem: _, ...state } = this.#state;
      this.#state = state;
      this.#set({ state: 'ready', server: found.server });
      // Reading the schema does not postpone the next refresh.
      this.#later(Math.max(0, this.#refreshedAt + this.#refreshMs - performance.now()), () =>
        this.#refresh(),
      );
      this.#later(schemaEveryMs, () => this.#connect());
      void this.#queryWatermarks().then(() => this.#profile());
    } catch (error) {
      await this.#fail(
        error instanceof EngineError
          ? error
          : new EngineError('source-unreachable', (error as Error).message),
      );
    }
  }

  /** @returns undefined if the source was closed meanwhile */
  async #readSchema(): Promise<Awaited<ReturnType<typeof readSchema>> | undefined> {
    this.#engine ??= await openServer(this.#state.name, this.#server, this.#environment.root);
    const engine = this.#engine;
    if (this.#isClosed) {
      await engine.close();
      return undefined;
    }
    return this.#circuit.run(() => readSchema(engine));
  }

  async #fail({ code, message }: EngineError): Promise<void> {
    // The password may have changed; the next attempt resolves it again.
    await this.#engine?.close().catch(() => {});
    this.#engine = undefined;
    this.#set({ state: 'failed', problem: { code, message } });
    this.#later(code === 'source-refused' ? refusedRetryMs : this.#retryMs, () => this.#connect());
    this.#retryMs = Math.min(longestRetryMs, this.#retryMs * 2);
  }

  /** Invalidates cached results, since the data may have changed. */
  async #refresh(): Promise<void> {
    this.#later(this.#refreshMs, () => this.#refresh());
    await this.#expire();
    if (this.#circuit.trouble) await this.#connect();
  }

  async #expire(): Promise<void> {
    this.#refreshedAt = performance.now();
    if (!this.#circuit.trouble) await this.#queryWatermarks();
    const { trouble } = this.#circuit;
    if (!trouble) return this.#set({ dataVersion: this.#state.dataVersion + 1 });
    const { code, message } = trouble.error;
    if (this.#state.state === 'ready') this.#set({ state: 'degraded', problem: { code, message } });
  }

  /**
   * Queries its models' watermarks. Results of models without one expire with the source's refresh interval.
   */
  #queryWatermarks(): Promise<void> {
    this.#queryingWatermarks ??= this.#queryWatermarksNow().finally(() => {
      this.#queryingWatermarks = undefined;
    });
    return this.#queryingWatermarks;
  }

  async #queryWatermarksNow(): Promise<void> {
    const queried = new Set<Plan>();
    for (;;) {
      // Models may change while their watermarks are queried.
      const next = [...this.#watermarkPlans].find(([, plan]) => !queried.has(plan));
      if (!next || this.#isClosed) return;
      const [model, plan] = next;
      queried.add(plan);
      const value = await this.#watermark(plan);
      const before = this.#state.watermarks.get(model);
      const found = value === undefined ? undefined : { value, type: plan.columns[0]!.type };
      const watermarks = withWatermark(this.#state.watermarks, this.#watermarkPlans, model, found);
      if (value !== before?.value) this.#set({ watermarks });
    }
  }

  /** @returns undefined while the source is not connected, or if the query failed */
  async #watermark(plan: Plan) {
    if (!this.#engine || this.#state.state !== 'ready') return undefined;
    const engine = { engine: this.#engine, circuit: this.#circuit };
    return queryWatermark(engine, this.#state, plan).catch(() => undefined);
  }

  /** Updates the tables and records the changes in known ones. */
  async #updateTables(found: readonly DatabaseTable[]): Promise<void> {
    const tables = sourceTables(this.#server, found, this.#state.tables);
    const drift = schemaDrift(this.#state.tables, tables);
    this.#set({
      tables,
      drift: drift.length > 0 ? [...this.#state.drift, ...drift].slice(-maxDrift) : this.#state.drift,
    });
    await this.#remember();
  }

  /** Profiles the tables without a model, one after another, so that models can be inferred. */
  async #profile(): Promise<void> {
    const unknown = this.#state.tables.filter(table => !table.profile).slice(0, maxProfiledTables);
    for (const table of unknown) {
      if (this.#isClosed || !this.#engine) return;
      try {
        const profile = await profileTable({ engine: this.#engine, circuit: this.#circuit }, table);
        this.#set({
          tables: this.#state.tables.map(one => (one.called === table.called ? { ...one, profile } : one)),
        });
      } catch (error) {
        // An unreadable table does not stop the others, but an unreachable source does.
        if (error instanceof EngineError && error.code === 'source-unreachable') return;
      }
    }
    await this.#remember();
  }

  #remember(): Promise<void> {
    return this.#environment.remembered.write(this.#state.name, this.source, this.#state.tables);
  }
}
