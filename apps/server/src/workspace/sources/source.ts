import type { SourceFile } from '@belvedere/document';
import type { CircuitBreaker, DatabaseEngine, DatabaseTable, ServerFacts } from '@belvedere/engine';
import type { DataType, Model, TableProfile } from '@belvedere/model';
import type { WantedAccess } from './source-access.ts';

/** A snapshot of a database source. Plain data. */
export interface SourceState {
  readonly name: string;
  /** Its file, for messages. */
  readonly file: string;
  readonly label: string;
  readonly kind: SourceFile['kind'];
  readonly host?: string;
  readonly state: 'unconfirmed' | 'paused' | 'unchecked' | 'connecting' | 'ready' | 'degraded' | 'failed';
  /** When it entered this state, ISO 8601. */
  readonly since: string;
  /**
   * In the state `unconfirmed`: the access it requests, and that access's hash. Until confirmed, nothing of
   * the source is resolved, read or connected.
   */
  readonly unconfirmed?: WantedAccess;
  /** In the state `paused`: the reason, if one was given. */
  readonly pausedFor?: string;
  readonly problem?: { readonly code: string; readonly message: string };
  readonly server?: ServerFacts;
  /** Tables as last seen; kept while the source is unreachable, and across restarts. */
  readonly tables: readonly SourceTable[];
  /** Increases whenever its data may have changed, which invalidates cached results. */
  readonly dataVersion: number;
  /** Watermarks of models that define one, by the model's name, as last queried. */
  readonly watermarks: ReadonlyMap<string, Watermark>;
  /** Changes of its tables since they were first seen, in words. */
  readonly drift: readonly string[];
}

/** A source's engine, with its circuit breaker. */
export interface SourceEngine {
  readonly engine: DatabaseEngine;
  readonly circuit: CircuitBreaker;
}

export interface SourceTable extends DatabaseTable {
  /** Its name in models: its own name, prefixed with its schema unless that is the default schema. */
  readonly called: string;
  /** Profiled from a few thousand rows, for inferring models. */
  readonly profile?: TableProfile;
}

export interface Watermark {
  /** Times are wall-clock milliseconds in UTC; null if there are no rows. */
  readonly value: string | number | bigint | boolean | null;
  readonly type: DataType;
  /** When this value was first seen, ISO 8601. */
  readonly since: string;
}

/** Identifies the version of a database's data. A model's results stay valid as long as it is the same. */
export function dataVersionOf({ name, watermark }: Model, source: SourceState | undefined): string {
  const marked = watermark && source?.watermarks.get(name);
  return marked ? `to ${marked.value}` : String(source?.dataVersion ?? 0);
}

/** Returns a database table by its name in models. */
export function sourceTableOf(source: SourceState, called: string): SourceTable | undefined {
  return source.tables.find(table => table.called === called);
}
