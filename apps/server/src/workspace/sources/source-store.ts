import {
  closestName,
  durationMs,
  labelFrom,
  type ReadDocument,
  type ServerSource,
  type SourceFile,
} from '@belvedere/document';
import {
  CircuitBreaker,
  EngineError,
  openDatabase,
  sampleRows,
  readRegularFile,
  type Connection,
  type DatabaseEngine,
  type DatabaseTable,
  type ServerFacts,
} from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import { planQuery, type Plan } from '@belvedere/query';
import { writeSql } from '@belvedere/sql';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../limits.ts';
import { evenFailures } from './even-failures.ts';
import type { Confirmations } from './confirmations.ts';
import { secretFor } from './secrets.ts';
import { accessOf, targetOf, unconfirmedProblem } from './source-access.ts';
import { sourceTableOf, type SourceState, type SourceTable, type Watermark } from './source.ts';

/** A source's engine, with its circuit breaker. */
export interface SourceEngine {
  readonly engine: DatabaseEngine;
  readonly circuit: CircuitBreaker;
}

interface ConnectedSource {
  readonly read: SourceFile;
  /** The hash of its access beyond the workspace; undefined for a file of the workspace. */
  readonly content: string | undefined;
  state: SourceState;
  engine?: DatabaseEngine;
  readonly circuit: CircuitBreaker;
  readonly timers: Set<NodeJS.Timeout>;
  isClosed: boolean;
  /** Whether a database has answered at its address, in a team. Until then, nothing is asked of it. */
  isProven: boolean;
  retryMs: number;
  /** When its results were last invalidated, by a monotonic clock. */
  refreshedAt: number;
  connecting?: Promise<void>;
  /** Query plans of its models' watermarks, by the model's name. */
  watermarkPlans: ReadonlyMap<string, Plan>;
  askingWatermarks?: Promise<void>;
}

const firstRetryMs = 2_000;
const longestRetryMs = 60_000;
/** A refused login is not retried sooner, since databases lock accounts. */
const refusedRetryMs = 30_000;
const schemaEveryMs = 5 * 60_000;
const usualRefreshMs = 5 * 60_000;
const watermarkMs = 10_000;
const profiledTables = 40;
const profiledRows = 5_000;

/** Connects the workspace's sources, remembers their tables, and notifies of all changes to them. */
export class SourceStore {
  readonly #root: string;
  readonly #state: string;
  readonly #confirmations: Confirmations;
  readonly #changed: () => void;
  readonly #isShared: boolean;
  readonly #held = new Map<string, ConnectedSource>();
  #updating: Promise<void> = Promise.resolve();
  #drafts = 0;

  /**
   * @param state the folder for remembered tables
   * @param changed called after each change of state
   * @param isShared whether users connect sources who may not know the network
   */
  constructor(
    root: string,
    state: string,
    confirmations: Confirmations,
    changed: () => void,
    isShared = false,
  ) {
    this.#isShared = isShared;
    this.#root = root;
    this.#confirmations = confirmations;
    this.#state = path.join(state, 'sources');
    this.#changed = changed;
  }

  get states(): ReadonlyMap<string, SourceState> {
    return new Map([...this.#held].map(([name, { state }]) => [name, state]));
  }

  /** Runs the first contact with a server. In a team, failures tell nothing of the network. */
  contact<T>(source: ServerSource, work: () => Promise<T>): Promise<T> {
    return this.#isShared ? evenFailures(source, work) : work();
  }

  engineOf(source: string): SourceEngine | undefined {
    const held = this.#held.get(source);
    return held?.isProven && held.engine ? { engine: held.engine, circuit: held.circuit } : undefined;
  }

  /**
   * Applies the files in `sources/`: connects new and changed sources once they are confirmed, and closes
   * removed ones.
   */
  update(files: SourceFiles): Promise<void> {
    const update = this.#updating.then(() => this.#updateNow(files));
    this.#updating = update.catch(() => {});
    return update;
  }

  async #updateNow(files: SourceFiles): Promise<void> {
    for (const [name, held] of this.#held) {
      const next = files.get(name);
      // A link in the folder may have a new target, though the file is unchanged.
      if (
        next?.read.ok &&
        JSON.stringify(next.read.value) === JSON.stringify(held.read) &&
        (await accessOf(held.read, this.#root))?.content === held.content
      )
        continue;
      this.#held.delete(name);
      void this.#close(held);
    }
    for (const [name, { file, read }] of files) {
      if (!read.ok || this.#held.has(name)) continue;
      const { value } = read;
      const remembered = await this.#remembered(name, value);
      const wanted = await accessOf(value, this.#root);
      const isConfirmed = !wanted || (await this.#confirmations.has(name, wanted.content));
      const held: ConnectedSource = {
        read: value,
        content: wanted?.content,
        circuit: new CircuitBreaker(),
        timers: new Set(),
        isClosed: false,
        isProven: !this.#isShared || remembered.length > 0,
        retryMs: firstRetryMs,
        refreshedAt: performance.now(),
        watermarkPlans: new Map(),
        state: {
          name,
          file,
          label: value.label ?? labelFrom(name),
          kind: value.kind,
          ...('host' in value.connection && { host: value.connection.host }),
          state: isConfirmed ? 'unchecked' : 'unconfirmed',
          ...(!isConfirmed && { unconfirmed: wanted }),
          since: new Date().toISOString(),
          tables: remembered,
          dataVersion: 1,
          watermarks: new Map(),
          drift: [],
        },
      };
      this.#held.set(name, held);
      if (isConfirmed) this.#begin(held);
    }
  }

  /**
   * Confirms a source with the access that the user has seen, and connects it.
   * @returns whether its access is still the same
   * @throws ProblemError `state-unavailable` if the confirmation cannot be saved
   */
  async confirm(name: string, content: string): Promise<boolean> {
    const held = this.#held.get(name);
    if (!held || held.content !== content) return false;
    await this.#confirmations.add(name, content);
    const { unconfirmed, ...state } = held.state;
    if (!unconfirmed || held.isClosed) return true;
    held.state = { ...state, state: 'unchecked', since: new Date().toISOString() };
    this.#begin(held);
    this.#changed();
    return true;
  }

  /** Only for confirmed sources. */
  #begin(held: ConnectedSource): void {
    const { read } = held;
    if (read.kind === 'sqlite' || read.kind === 'duckdb') held.state = { ...held.state, state: 'ready' };
    else void this.#connect(held, read);
  }

  /** Updates the watermark plans from the models that define one. */
  follow(models: readonly Model[]): void {
    for (const [name, held] of this.#held) {
      const plans = new Map(
        models.flatMap(model =>
          model.source === name && model.watermark
            ? [[model.name, planQuery({ kind: 'watermark', model: model.name }, model, 'UTC')] as const]
            : [],
        ),
      );
      if (JSON.stringify([...plans]) === JSON.stringify([...held.watermarkPlans])) continue;
      held.watermarkPlans = plans;
      void this.#queryWatermarks(held);
    }
  }

  /** Reconnects a source now. @throws ProblemError `source-unconfirmed` */
  async retry(name: string): Promise<void> {
    const held = this.#held.get(name);
    if (held?.state.unconfirmed) throw unconfirmedProblem(held.state);
    if (!held || held.read.kind === 'duckdb' || held.read.kind === 'sqlite') return;
    held.circuit.retry();
    await this.#connect(held, held.read);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map(held => this.#close(held)));
  }

  async #close(held: ConnectedSource): Promise<void> {
    held.isClosed = true;
    for (const timer of held.timers) clearTimeout(timer);
    await held.engine?.close().catch(() => {});
  }

  #set(held: ConnectedSource, change: Partial<SourceState>): void {
    if (held.isClosed) return;
    const since =
      change.state && change.state !== held.state.state ? new Date().toISOString() : held.state.since;
    held.state = { ...held.state, ...change, since };
    this.#changed();
  }

  #later(held: ConnectedSource, ms: number, work: () => Promise<void>): void {
    if (held.isClosed) return;
    const timer = setTimeout(() => {
      held.timers.delete(timer);
      if (!held.isClosed) void work();
    }, ms);
    timer.unref();
    held.timers.add(timer);
  }

  /** One attempt at a time: concurrent callers wait for the running one. */
  #connect(held: ConnectedSource, source: ServerSource): Promise<void> {
    held.connecting ??= this.#connectNow(held, source).finally(() => delete held.connecting);
    return held.connecting;
  }

  async #connectNow(held: ConnectedSource, source: ServerSource): Promise<void> {
    for (const timer of held.timers) clearTimeout(timer);
    held.timers.clear();
    if (held.state.state !== 'ready') this.#set(held, { state: 'connecting' });
    try {
      const read = async () => {
        held.engine ??= await openServer(held.state.name, source, this.#root);
        const engine = held.engine;
        if (held.isClosed) return engine.close();
        return held.circuit.run(() => readSchema(engine));
      };
      const found = held.isProven ? await read() : await this.contact(source, read);
      if (!found) return;
      const { server, tables } = found;
      held.isProven = true;
      await this.#seen(held, source, tables);
      held.retryMs = firstRetryMs;
      const { problem: _, ...rest } = held.state;
      held.state = rest;
      this.#set(held, { state: 'ready', server });
      // Reading the schema does not postpone the next refresh.
      this.#later(held, Math.max(0, held.refreshedAt + refreshMs(source) - performance.now()), () =>
        this.#refresh(held, source),
      );
      this.#later(held, schemaEveryMs, () => this.#connect(held, source));
      void this.#queryWatermarks(held).then(() => this.#profile(held));
    } catch (error) {
      const known =
        error instanceof EngineError
          ? error
          : new EngineError('source-unreachable', (error as Error).message);
      // The password may have changed; the next attempt resolves it again.
      await held.engine?.close().catch(() => {});
      delete held.engine;
      this.#set(held, { state: 'failed', problem: { code: known.code, message: known.message } });
      this.#later(held, known.code === 'source-refused' ? refusedRetryMs : held.retryMs, () =>
        this.#connect(held, source),
      );
      held.retryMs = Math.min(longestRetryMs, held.retryMs * 2);
    }
  }

  /**
   * Checks for newer data before the source's next refresh, if the last one was longer ago than this. The pages
   * that show the source learn of newer data by events.
   * @param everyMs pages ask at about this interval, so that slightly less counts as well
   */
  async refreshWithin(source: string, everyMs: number): Promise<void> {
    const held = this.#held.get(source);
    if (!held || held.isClosed || held.state.state !== 'ready') return;
    if (performance.now() - held.refreshedAt < 0.9 * Math.max(limits.minRefreshMs, everyMs)) return;
    await this.#expire(held);
  }

  /** Invalidates cached results, since the data may have changed. */
  async #refresh(held: ConnectedSource, source: ServerSource): Promise<void> {
    this.#later(held, refreshMs(source), () => this.#refresh(held, source));
    await this.#expire(held);
    if (held.circuit.trouble) await this.#connect(held, source);
  }

  async #expire(held: ConnectedSource): Promise<void> {
    held.refreshedAt = performance.now();
    if (!held.circuit.trouble) await this.#queryWatermarks(held);
    const { trouble } = held.circuit;
    if (trouble && held.state.state === 'ready')
      this.#set(held, {
        state: 'degraded',
        problem: { code: trouble.error.code, message: trouble.error.message },
      });
    else if (!trouble) this.#set(held, { dataVersion: held.state.dataVersion + 1 });
  }

  /**
   * Queries its models' watermarks. Results of models without one expire with the source's refresh interval.
   */
  #queryWatermarks(held: ConnectedSource): Promise<void> {
    held.askingWatermarks ??= this.#queryWatermarksNow(held).finally(() => delete held.askingWatermarks);
    return held.askingWatermarks;
  }

  async #queryWatermarksNow(held: ConnectedSource): Promise<void> {
    const queried = new Set<Plan>();
    for (;;) {
      // Models may change while their watermarks are queried.
      const next = [...held.watermarkPlans].find(([, plan]) => !queried.has(plan));
      if (!next || held.isClosed) return;
      const [name, plan] = next;
      queried.add(plan);
      const value = await this.#watermark(held, plan).catch(() => undefined);
      const before = held.state.watermarks.get(name);
      const watermarks = new Map(
        [...held.state.watermarks].filter(([other]) => other !== name && held.watermarkPlans.has(other)),
      );
      if (value !== undefined)
        watermarks.set(
          name,
          before?.value === value
            ? before
            : { value, type: plan.columns[0]!.type, since: new Date().toISOString() },
        );
      if (value !== before?.value) this.#set(held, { watermarks });
    }
  }

  /** @returns undefined while the source is not connected */
  async #watermark(
    { engine, circuit, state }: ConnectedSource,
    plan: Plan,
  ): Promise<Watermark['value'] | undefined> {
    if (!engine || state.state !== 'ready') return undefined;
    const statement = writeSql(plan, engine.dialect, called => {
      const table = sourceTableOf(state, called);
      if (!table) throw new EngineError('query-failed', `There is no table \`${called}\`.`);
      return engine.tableName(table.schema, table.name);
    });
    const {
      columns: [column],
    } = await circuit.run(() => engine.run(statement, { as: 'values', timeoutMs: watermarkMs, maxRows: 1 }));
    return column?.values[0] ?? null;
  }

  /** Updates the tables and records the changes in known ones. */
  async #seen(held: ConnectedSource, source: ServerSource, tables: readonly DatabaseTable[]): Promise<void> {
    const usual = usualSchema(source);
    const before = new Map(held.state.tables.map(table => [table.called, table]));
    const drift = driftOf(
      held.state.tables,
      tables.map(table => ({ ...table, called: calledAs(table, usual) })),
    );
    const next = tables.map((table): SourceTable => {
      const called = calledAs(table, usual);
      const known = before.get(called);
      const isSame = known && JSON.stringify(known.columns) === JSON.stringify(table.columns);
      return { ...table, called, ...(isSame && known.profile && { profile: known.profile }) };
    });
    this.#set(held, {
      tables: next,
      drift: drift.length > 0 ? [...held.state.drift, ...drift].slice(-50) : held.state.drift,
    });
    await this.#remember(held);
  }

  /** Profiles the tables without a model, one after another, so that models can be inferred. */
  async #profile(held: ConnectedSource): Promise<void> {
    for (const table of held.state.tables.filter(candidate => !candidate.profile).slice(0, profiledTables)) {
      const { engine } = held;
      if (held.isClosed || !engine) return;
      try {
        const plan: Plan = {
          table: table.called,
          joins: {},
          zone: 'UTC',
          where: [],
          order: [],
          limit: profiledRows,
          columns: table.columns.map(({ name, type }, i) => ({
            name: `c${i}`,
            type: type === 'instant' ? 'time' : type,
            expression: { kind: 'model', expression: { kind: 'column', name, type } },
          })),
        };
        const result = await held.circuit.run(() =>
          engine.run(
            writeSql(plan, engine.dialect, () => engine.tableName(table.schema, table.name)),
            { as: 'values', timeoutMs: 10_000, maxRows: profiledRows },
          ),
        );
        const profile = sampleRows(table, result);
        this.#set(held, {
          tables: held.state.tables.map(one =>
            one.called === table.called ? { ...one, profile: { ...profile, name: one.called } } : one,
          ),
        });
      } catch (error) {
        // An unreadable table does not stop the others, but an unreachable source does.
        if (error instanceof EngineError && error.code === 'source-unreachable') return;
      }
    }
    await this.#remember(held);
  }

  async #remember({ state, read }: ConnectedSource): Promise<void> {
    const file = path.join(this.#state, `${state.name}.json`);
    // The same source may be saved twice at once, hence unique names.
    const draft = `${file}.${++this.#drafts}.part`;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify({ connection: read.connection, tables: state.tables }));
    await rename(draft, file);
  }

  async #remembered(name: string, source: SourceFile): Promise<readonly SourceTable[]> {
    try {
      const text = String(await readRegularFile(path.join(this.#state, `${name}.json`)));
      const kept = JSON.parse(text) as { connection: unknown; tables: SourceTable[] };
      return JSON.stringify(kept.connection) === JSON.stringify(source.connection) ? kept.tables : [];
    } catch {
      return [];
    }
  }
}

/** The files in `sources/`, by the names of their sources. */
export type SourceFiles = ReadonlyMap<
  string,
  { readonly file: string; readonly read: ReadDocument<SourceFile> }
>;

/**
 * Opens a server's engine without querying it yet.
 * @param typed a password to try instead of the stored one
 * @throws EngineError `source-refused` if its secret cannot be found
 */
export async function openServer(
  name: string,
  source: ServerSource,
  root: string,
  typed?: string,
): Promise<DatabaseEngine> {
  const { connection } = source;
  const target = targetOf(source);
  const use = { root, source: name, target };
  const settings: Connection = {
    host: target.host,
    port: target.port,
    database: connection.database,
    user: target.user,
    password: typed ?? (await secretFor(connection.password, use)),
    tls: typeof target.tls === 'object' ? { ca: await secretFor(target.tls.ca, use) } : target.tls,
    ...(source.schemas && { schemas: source.schemas }),
  };
  if (source.kind !== 'mysql')
    return openDatabase(source.kind, settings, source.kind === 'clickhouse' ? source.times : undefined);
  // Only a connection shows which of the two servers it is.
  const first = await openDatabase('mariadb', settings);
  try {
    const { version } = await first.check();
    if (version.startsWith('MariaDB')) return first;
  } catch (error) {
    await first.close().catch(() => {});
    throw firstTrouble(error);
  }
  await first.close();
  return openDatabase('mysql', settings);
}

/**
 * Connects to a server for the first time: reads its version and its tables.
 * @throws EngineError `source-unreachable`, `source-refused`; both with messages of our own, whatever the
 * server sent
 */
export async function readSchema(
  engine: DatabaseEngine,
): Promise<{ readonly server: ServerFacts; readonly tables: readonly DatabaseTable[] }> {
  try {
    return { server: await engine.check(), tables: await engine.tables() };
  } catch (error) {
    throw firstTrouble(error);
  }
}

/**
 * Until a server has identified itself, none of its messages are passed on, since they may contain anything.
 */
function firstTrouble(error: unknown): EngineError {
  if (error instanceof EngineError && error.code.startsWith('source-')) return error;
  return new EngineError(
    'source-refused',
    'Connected, but the server listed no tables. The user may lack the permission to list them.',
    { cause: error },
  );
}

function usualSchema(source: ServerSource): string {
  return source.kind === 'postgres' ? 'public' : source.connection.database;
}

const calledAs = (table: DatabaseTable, usual: string) =>
  table.schema === usual ? table.name : `${table.schema}.${table.name}`;

function refreshMs({ refresh }: ServerSource): number {
  return Math.max(limits.minRefreshMs, refresh ? durationMs(refresh.every) : usualRefreshMs);
}

/** Describes changes between two schemas in words: removed names, and their most probable new names. */
function driftOf(
  before: readonly SourceTable[],
  after: readonly Pick<SourceTable, 'called' | 'columns'>[],
): string[] {
  const now = new Map(after.map(table => [table.called, table]));
  const added = after
    .filter(table => !before.some(old => old.called === table.called))
    .map(table => table.called);
  return before.flatMap(old => {
    const table = now.get(old.called);
    if (!table) {
      const next = closestName(old.called, added);
      return [
        `The table \`${old.called}\` no longer exists${next ? `; it may now be called \`${next}\`` : ''}.`,
      ];
    }
    const fresh = table.columns.filter(column => !old.columns.some(one => one.name === column.name));
    return old.columns.flatMap(column => {
      const same = table.columns.find(one => one.name === column.name);
      if (same)
        return same.type === column.type
          ? []
          : [`\`${old.called}.${column.name}\` changed from ${column.type} to ${same.type}.`];
      const next =
        closestName(
          column.name,
          fresh.map(one => one.name),
        ) ?? (fresh.length === 1 && fresh[0]!.type === column.type ? fresh[0]!.name : undefined);
      return [
        `The column \`${old.called}.${column.name}\` no longer exists${next ? `; it may now be called \`${next}\`` : ''}.`,
      ];
    });
  });
}
