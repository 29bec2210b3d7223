import type { SourceFile } from '@belvedere/document';
import type { DatabaseTable, ServerFacts } from '@belvedere/engine';
import type { TableProfile } from '@belvedere/model';

/** A source beside the files, as it stands at one moment. Plain data. */
export interface SourceState {
  readonly name: string;
  /** Its file, for messages. */
  readonly file: string;
  readonly label: string;
  readonly kind: SourceFile['kind'];
  readonly host?: string;
  readonly state: 'unchecked' | 'connecting' | 'ready' | 'degraded' | 'failed';
  /** Since when it has been in this state, ISO 8601. */
  readonly since: string;
  readonly problem?: { readonly code: string; readonly message: string };
  readonly server?: ServerFacts;
  /** As last seen; kept while the source is away, and over a restart. */
  readonly tables: readonly SourceTable[];
  /** Rises whenever its data may have changed: answers given before are then asked for anew. */
  readonly dataVersion: number;
  /** What changed in its tables since they were first seen, in words. */
  readonly drift: readonly string[];
}

export interface SourceTable extends DatabaseTable {
  /** What models call it: its own name, after its schema's where that is not the usual one. */
  readonly called: string;
  /** From a few thousand of its rows, to guess from. */
  readonly profile?: TableProfile;
}
