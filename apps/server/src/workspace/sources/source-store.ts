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
import type { Confirmations } from './confirmations.ts';
import { secretFor } from './secrets.ts';
import { accessOf, targetOf, unconfirmedProblem } from './source-access.ts';
import { sourceTableOf, type SourceState, type SourceTable, type Watermark } from './source.ts';

/** A source's live side: where its questions go. */
export interface SourceEngine {
  readonly engine: DatabaseEngine;
  readonly circuit: CircuitBreaker;
}

interface Held {
  readonly read: SourceFile;
  /** What stands for all that it reaches beyond the workspace; nothing for a file of the workspace. */
  readonly content: string | undefined;
  state: SourceState;
  engine?: DatabaseEngine;
  readonly circuit: CircuitBreaker;
  readonly timers: Set<NodeJS.Timeout>;
  isClosed: boolean;
  retryMs: number;
  /** When its answers last began anew, by a clock that only goes forward. */
  refreshedAt: number;
  connecting?: Promise<void>;
  /** How the watermarks of its models are asked for, by the model's name. */
  watermarkPlans: ReadonlyMap<string, Plan>;
  askingWatermarks?: Promise<void>;
}

const firstRetryMs = 2_000;
const longestRetryMs = 60_000;
/** A login that was refused is not tried again sooner: databases lock accounts. */
const refusedRetryMs = 30_000;
const schemaEveryMs = 5 * 60_000;
const usualRefreshMs = 5 * 60_000;
const watermarkMs = 10_000;
const profiledTables = 40;
const profiledRows = 5_000;

/** Connects the workspace's sources, keeps what is known of their tables, and says when anything about them changes. */
export class SourceStore {
  readonly #root: string;
  readonly #state: string;
  readonly #confirmations: Confirmations;
  readonly #changed: () => void;
  readonly #held = new Map<string, Held>();
  #updating: Promise<void> = Promise.resolve();
  #drafts = 0;

  /** @param state the folder for what is remembered of sources, and @param changed is called whenever a state did */
  constructor(root: string, state: string, confirmations: Confirmations, changed: () => void) {
    this.#root = root;
    this.#confirmations = confirmations;
    this.#state = path.join(state, 'sources');
    this.#changed = changed;
  }

  get states(): ReadonlyMap<string, SourceState> {
    return new Map([...this.#held].map(([name, { state }]) => [name, state]));
  }

  engineOf(source: string): SourceEngine | undefined {
    const held = this.#held.get(source);
    return held?.engine && { engine: held.engine, circuit: held.circuit };
  }

  /** Takes over what the files in `sources/` say: new and changed ones are connected once they are confirmed, those that went are closed. */
  update(files: SourceFiles): Promise<void> {
    const update = this.#updating.then(() => this.#updateNow(files));
    this.#updating = update.catch(() => {});
    return update;
  }

  async #updateNow(files: SourceFiles): Promise<void> {
    for (const [name, held] of this.#held) {
      const next = files.get(name);
      // A link in the folder may lead somewhere else by now, whatever the file says.
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
      const held: Held = {
        read: value,
        content: wanted?.content,
        circuit: new CircuitBreaker(),
        timers: new Set(),
        isClosed: false,
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
   * Lets a source do what it says it does, as somebody has seen it, and begins.
   * @returns whether it still says that
   * @throws ProblemError `state-unavailable` where it cannot be remembered
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

  /** Only ever for what is confirmed. */
  #begin(held: Held): void {
    const { read } = held;
    if (read.kind === 'sqlite' || read.kind === 'duckdb') held.state = { ...held.state, state: 'ready' };
    else void this.#connect(held, read);
  }

  /** Takes over which models say themselves how new their data is. */
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
      void this.#askWatermarks(held);
    }
  }

  /** Tries a source again now. @throws ProblemError `source-unconfirmed` */
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

  async #close(held: Held): Promise<void> {
    held.isClosed = true;
    for (const timer of held.timers) clearTimeout(timer);
    await held.engine?.close().catch(() => {});
  }

  #set(held: Held, change: Partial<SourceState>): void {
    if (held.isClosed) return;
    const since =
      change.state && change.state !== held.state.state ? new Date().toISOString() : held.state.since;
    held.state = { ...held.state, ...change, since };
    this.#changed();
  }

  #later(held: Held, ms: number, work: () => Promise<void>): void {
    if (held.isClosed) return;
    const timer = setTimeout(() => {
      held.timers.delete(timer);
      if (!held.isClosed) void work();
    }, ms);
    timer.unref();
    held.timers.add(timer);
  }

  /** One attempt at a time: whoever asks for another meanwhile waits for this one. */
  #connect(held: Held, source: ServerSource): Promise<void> {
    held.connecting ??= this.#connectNow(held, source).finally(() => delete held.connecting);
    return held.connecting;
  }

  async #connectNow(held: Held, source: ServerSource): Promise<void> {
    for (const timer of held.timers) clearTimeout(timer);
    held.timers.clear();
    if (held.state.state !== 'ready') this.#set(held, { state: 'connecting' });
    try {
      held.engine ??= await openServer(held.state.name, source, this.#root);
      const engine = held.engine;
      if (held.isClosed) return await engine.close();
      const { server, tables } = await held.circuit.run(() => look(engine));
      await this.#seen(held, source, tables);
      held.retryMs = firstRetryMs;
      const { problem: _, ...rest } = held.state;
      held.state = rest;
      this.#set(held, { state: 'ready', server });
      // Looking at the tables does not put off what is due.
      this.#later(held, Math.max(0, held.refreshedAt + refreshMs(source) - performance.now()), () =>
        this.#refresh(held, source),
      );
      this.#later(held, schemaEveryMs, () => this.#connect(held, source));
      void this.#askWatermarks(held).then(() => this.#profile(held));
    } catch (error) {
      const known =
        error instanceof EngineError
          ? error
          : new EngineError('source-unreachable', (error as Error).message);
      // The password may have been changed meanwhile: the next try looks it up anew.
      await held.engine?.close().catch(() => {});
      delete held.engine;
      this.#set(held, { state: 'failed', problem: { code: known.code, message: known.message } });
      this.#later(held, known.code === 'source-refused' ? refusedRetryMs : held.retryMs, () =>
        this.#connect(held, source),
      );
      held.retryMs = Math.min(longestRetryMs, held.retryMs * 2);
    }
  }

  /** Its data may have changed: what was answered before is asked for anew. */
  async #refresh(held: Held, source: ServerSource): Promise<void> {
    held.refreshedAt = performance.now();
    this.#later(held, refreshMs(source), () => this.#refresh(held, source));
    if (!held.circuit.trouble) await this.#askWatermarks(held);
    const { trouble } = held.circuit;
    if (trouble && held.state.state === 'ready')
      this.#set(held, {
        state: 'degraded',
        problem: { code: trouble.error.code, message: trouble.error.message },
      });
    else if (!trouble) this.#set(held, { dataVersion: held.state.dataVersion + 1 });
    if (trouble) await this.#connect(held, source);
  }

  /** Asks how new the data of its models is. Where that is not known, answers grow old with the source's. */
  #askWatermarks(held: Held): Promise<void> {
    held.askingWatermarks ??= this.#askWatermarksNow(held).finally(() => delete held.askingWatermarks);
    return held.askingWatermarks;
  }

  async #askWatermarksNow(held: Held): Promise<void> {
    const asked = new Set<Plan>();
    for (;;) {
      // Models may change while their watermarks are asked for.
      const next = [...held.watermarkPlans].find(([, plan]) => !asked.has(plan));
      if (!next || held.isClosed) return;
      const [name, plan] = next;
      asked.add(plan);
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
  async #watermark({ engine, circuit, state }: Held, plan: Plan): Promise<Watermark['value'] | undefined> {
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

  /** Takes over the tables as they are now, and says what changed in those that were known. */
  async #seen(held: Held, source: ServerSource, tables: readonly DatabaseTable[]): Promise<void> {
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

  /** Looks into the tables nobody has described, one after another, so that models can be guessed. */
  async #profile(held: Held): Promise<void> {
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
        const answer = await held.circuit.run(() =>
          engine.run(
            writeSql(plan, engine.dialect, () => engine.tableName(table.schema, table.name)),
            { as: 'values', timeoutMs: 10_000, maxRows: profiledRows },
          ),
        );
        const profile = sampleRows(table, answer);
        this.#set(held, {
          tables: held.state.tables.map(one =>
            one.called === table.called ? { ...one, profile: { ...profile, name: one.called } } : one,
          ),
        });
      } catch (error) {
        // One table that cannot be read is no reason to leave out the others; a source that is away is.
        if (error instanceof EngineError && error.code === 'source-unreachable') return;
      }
    }
    await this.#remember(held);
  }

  async #remember({ state, read }: Held): Promise<void> {
    const file = path.join(this.#state, `${state.name}.json`);
    // A source that changes may be remembered twice at once.
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
 * Opens a server's engine; nothing is asked of it yet.
 * @param typed a password that somebody is trying, in place of a kept one
 * @throws EngineError source-refused where its secret cannot be found
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
  // Which of the two answers shows only when one asks.
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
 * A first look at a server: who it is, and its tables.
 * @throws EngineError source-unreachable, source-refused; both in words of our own, whatever it was that answered
 */
export async function look(
  engine: DatabaseEngine,
): Promise<{ readonly server: ServerFacts; readonly tables: readonly DatabaseTable[] }> {
  try {
    return { server: await engine.check(), tables: await engine.tables() };
  } catch (error) {
    throw firstTrouble(error);
  }
}

/** Before a server has said who it is, nothing that it sends is passed on: it may be anything. */
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
  return Math.max(limits.leastRefreshMs, refresh ? durationMs(refresh.every) : usualRefreshMs);
}

/** What changed between two looks at a source, in words: what went, and what it was most probably renamed to. */
export function driftOf(
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
