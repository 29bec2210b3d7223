import { ApiError, type Client } from '@belvedere/api';
import { writeDiff, writeDocument } from '@belvedere/document';
import { queryBody, readWords } from '../commands/parse-query-args.ts';
import { stateToRender } from '../commands/render-dashboard.ts';
import { ProblemError } from '../http/problems.ts';
import { warningLine } from '../commands/warning-line.ts';
import type { AssistedText, AssistedWorkspace, WrittenKind } from './assisted-workspace.ts';

/**
 * The workspace of a server for an assistant, with the permissions of the client's token: every call is a
 * request to the HTTP API.
 */
export function remoteWorkspace(client: Client): AssistedWorkspace {
  return {
    listModels: async ({ signal }) => {
      const { models } = await client.listModels({}, { signal });
      return models
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(
          ({ name, label, table, isGuessed }) =>
            `${name}: ${label}, of ${table === '' ? 'SQL' : `the table \`${table}\``}${isGuessed ? ' (inferred from its columns)' : ''}`,
        );
    },

    describeModel: (model, { signal }) => client.getModel({ params: { name: model } }, { signal }),

    query: async ({ model, as, ...words }, { signal }) => {
      if (as !== undefined)
        throw new ProblemError(
          'request-invalid',
          '`as` needs a folder, since it names a user from `tests/`.',
        );
      return client.postQuery({ params: { name: model }, body: queryBody(readWords(words)) }, { signal });
    },

    listDashboards: async ({ signal }) => {
      const { dashboards } = await client.listDashboards({ query: {} }, { signal });
      return dashboards.map(({ id, title, tilesWithErrors = 0 }) => ({
        id,
        title,
        problems: tilesWithErrors,
      }));
    },

    describeDashboard: async (dashboard, { signal }) => {
      const { document, problems } = await client.getDashboard(
        { params: { id: dashboard }, query: {} },
        { signal },
      );
      if (!document)
        throw new ProblemError('document-invalid', problems.map(({ message }) => message).join('\n'));
      return document;
    },

    readDocument: (kind, name, { signal }) => readText(client, kind, name, signal),

    checkDocument: async (kind, name, text, { signal }) => {
      const { errors } = await client.validate({ body: { kind, text } }, { signal });
      return errors.map(error => ({ ...error, file: fileOf(kind, name) }));
    },

    checkAll: async (runs, { signal }) => {
      if (runs)
        throw new ProblemError(
          'request-invalid',
          '`run` needs a folder. A server runs its dashboards itself.',
        );
      const { problems, warnings } = await client.listProblems({}, { signal });
      return [
        ...problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
        ...warnings.map(warning => warningLine(warning)),
        `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
      ];
    },

    writeDocument: async (kind, name, text, base, message, { signal }) => {
      const { errors } = await client.validate({ body: { kind, text } }, { signal });
      if (errors.length > 0)
        throw new ProblemError(
          'document-invalid',
          [
            'Nothing was written:',
            ...errors.map(error => `${error.line}:${error.column}: ${error.message}`),
          ].join('\n'),
        );
      const before = base === undefined ? undefined : await readText(client, kind, name, signal);
      const file = before?.file ?? fileOf(kind, name);
      const body = { text, message };
      const ifMatch = base === undefined ? {} : { ifMatch: base };
      const diff = writeDiff(file, before?.text, text);
      if (kind === 'dashboard') {
        await client.saveDashboardText({ params: { id: name }, body, ...ifMatch });
        return { file, diff };
      }
      // A server compares a model with its tables when it saves it.
      const { checked } = await client.saveModelText({ params: { name }, body, ...ifMatch });
      return { file, diff, problems: checked.problems };
    },

    render: async ({ dashboard, tile, theme, ...drawn }, { signal }) => {
      const response = await client.postExport(
        {
          params: { id: dashboard },
          body: {
            format: 'png',
            theme,
            rows: 'limited',
            state: stateToRender(drawn),
            ...(tile !== undefined && { tile }),
          },
        },
        { signal },
      );
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

/** An overview that is no file yet has the text that its file would contain. */
async function readText(
  client: Client,
  kind: WrittenKind,
  name: string,
  signal: AbortSignal,
): Promise<AssistedText> {
  if (kind === 'model') return client.getModelText({ params: { name } }, { signal });
  const params = { id: name };
  try {
    return await client.getDashboardText({ params }, { signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.type !== 'not-found') throw error;
    const { document, origin } = await client.getDashboard({ params, query: {} }, { signal });
    if (!document || origin !== 'overview') throw error;
    const file = `dashboards/${name.split('/').at(-1)!}.yaml`;
    return { file, text: writeDocument(document, 'dashboard', file) };
  }
}

function fileOf(kind: WrittenKind, name: string): string {
  return `${kind}s/${name}.yaml`;
}
