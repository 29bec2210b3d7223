import { EngineError } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { writeSql } from '@belvedere/sql';
import { ProblemError } from '../../http/problems.ts';
import { pausedProblem, unconfirmedProblem } from '../../workspace/sources/source-access.ts';
import { sourceTableOf, type SourceState } from '../../workspace/sources/source.ts';
import type { SourceStore } from '../../workspace/sources/source-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';

type Sources = Pick<SourceStore, 'engineOf'>;

/**
 * Returns a database's engine; undefined for the files.
 * @throws ProblemError, EngineError if it does not exist or is unreachable
 */
export function databaseOf(sources: Sources, source: string, workspace: Workspace) {
  if (source === 'files') return undefined;
  const database = sources.engineOf(source);
  if (database) return database;
  const state = workspace.sources.get(source);
  if (!state) throw new ProblemError('not-found', `Source \`${source}\` not found, or not shared with you.`);
  if (state.unconfirmed) throw unconfirmedProblem(state);
  if (state.state === 'paused') throw pausedProblem(state);
  throw new EngineError('source-unreachable', awayMessage(state));
}

/**
 * Writes a plan in the dialect of its model's source.
 * @throws EngineError, ProblemError if the source or its table is unavailable
 */
export function statementFor(sources: Sources, model: Model, plan: Plan, workspace: Workspace) {
  const source = sources.engineOf(model.source);
  const state = workspace.sources.get(model.source);
  if (state?.unconfirmed) throw unconfirmedProblem(state);
  if (state?.state === 'paused') throw pausedProblem(state);
  if (!source || !state)
    throw new EngineError(
      state?.problem?.code === 'source-refused' ? 'source-refused' : 'source-unreachable',
      awayMessage(state),
    );
  const { engine, circuit } = source;
  const statement = writeSql(plan, engine.dialect, called => {
    const table = sourceTableOf(state, called);
    if (!table)
      throw new ProblemError(
        'table-gone',
        `The source \`${state.label}\` no longer has a table \`${called}\`.`,
      );
    return engine.tableName(table.schema, table.name);
  });
  return { engine, circuit, statement };
}

function awayMessage(state: SourceState | undefined): string {
  if (!state) return 'This source no longer exists.';
  return `${state.label} has been unreachable since ${state.since.slice(0, 16).replace('T', ' ')} UTC. ${state.problem?.message ?? 'Connecting…'}`;
}
