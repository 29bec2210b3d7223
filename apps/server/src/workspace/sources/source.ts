import type { SourceFile } from '@belvedere/document';
import type { DatabaseTable, ServerFacts } from '@belvedere/engine';
import type { DataType, Model, TableProfile } from '@belvedere/model';
import type { WantedAccess } from './source-access.ts';

/** A source beside the files, as it stands at one moment. Plain data. */
export interface SourceState {
  readonly name: string;
  /** Its file, for messages. */
  readonly file: string;
  readonly label: string;
  readonly kind: SourceFile['kind'];
  readonly host?: string;
  readonly state: 'unconfirmed' | 'unchecked' | 'connecting' | 'ready' | 'degraded' | 'failed';
  /** Since when it has been in this state, ISO 8601. */
  readonly since: string;
  /** In the state `unconfirmed`: what it would do, and what stands for that. Until then nothing of it is resolved, read or connected. */
  readonly unconfirmed?: WantedAccess;
  readonly problem?: { readonly code: string; readonly message: string };
  readonly server?: ServerFacts;
  /** As last seen; kept while the source is away, and over a restart. */
  readonly tables: readonly SourceTable[];
  /** Rises whenever its data may have changed: answers given before are then asked for anew. */
  readonly dataVersion: number;
  /** How new the data of models is that say so themselves, by the model's name; as last asked. */
  readonly watermarks: ReadonlyMap<string, Watermark>;
  /** What changed in its tables since they were first seen, in words. */
  readonly drift: readonly string[];
}

export interface SourceTable extends DatabaseTable {
  /** What models call it: its own name, after its schema's where that is not the usual one. */
  readonly called: string;
  /** From a few thousand of its rows, to guess from. */
  readonly profile?: TableProfile;
}

export interface Watermark {
  /** Times are milliseconds of the calendar, in UTC; nothing where there are no rows. */
  readonly value: string | number | bigint | boolean | null;
  readonly type: DataType;
  /** Since when it has been that, as far as was seen; ISO 8601. */
  readonly since: string;
}

/** Which state of a database's data a model's answers are of: they are good for as long as this stays the same. */
export function dataVersionOf({ name, watermark }: Model, source: SourceState | undefined): string {
  const marked = watermark && source?.watermarks.get(name);
  return marked ? `to ${marked.value}` : String(source?.dataVersion ?? 0);
}

/** A table of a database, by what models call it. */
export function sourceTableOf(source: SourceState, called: string): SourceTable | undefined {
  return source.tables.find(table => table.called === called);
}
