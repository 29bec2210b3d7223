import type { McpServer } from '@modelcontextprotocol/server';
import { jsonSchemaOf, type DocumentKind } from '@belvedere/document';
import { z } from 'zod';
import type { AssistedWorkspace } from './assisted-workspace.ts';
import type { RunCall } from './call-queue.ts';
import { documentName, documentText, kind, readOnly } from './tool-parameters.ts';
import { problemLines, textResult } from './tool-results.ts';

/** Tools that read, check and write the texts of dashboards and models. */
export function registerDocumentTools(
  server: McpServer,
  workspace: AssistedWorkspace,
  runCall: RunCall,
): void {
  server.registerTool(
    'read_schema',
    {
      title: 'Read a schema',
      description: 'Get the JSON Schema of a kind of document.',
      annotations: readOnly,
      inputSchema: z.object({ kind }),
    },
    ({ kind: of }, context) => runCall(context, async () => textResult(schemaText(of))),
  );

  server.registerTool(
    'read_document',
    {
      title: 'Read a document',
      description:
        'Get the text of a dashboard or a model. If it is not a file yet, get the text its file would have.',
      annotations: readOnly,
      inputSchema: z.object({ kind, name: documentName }),
    },
    ({ kind: of, name }, context) =>
      runCall(context, async call => {
        const { file, text, hash } = await workspace.readDocument(of, name, call);
        return textResult(
          `${hash === undefined ? `${file} is not a file yet. Saved without a base, it would be:` : `${file}, base ${hash}:`}\n${text}`,
        );
      }),
  );

  server.registerTool(
    'check_document',
    {
      title: 'Check a document',
      description: 'Check the text of a dashboard or a model against the current data. Writes nothing.',
      annotations: readOnly,
      inputSchema: z.object({ kind, name: documentName, text: documentText }),
    },
    ({ kind: of, name, text: given }, context) =>
      runCall(context, async call =>
        textResult(
          problemLines(await workspace.checkDocument(of, name, given, call)) || 'No problems found.',
        ),
      ),
  );

  server.registerTool(
    'check_workspace',
    {
      title: 'Check everything',
      description:
        'Check every document in the folder; with `run`, also query every tile and run the row-policy tests.',
      annotations: readOnly,
      inputSchema: z.object({ run: z.boolean().optional() }),
    },
    ({ run = false }, context) =>
      runCall(context, async call => textResult((await workspace.checkAll(run, call)).join('\n'))),
  );

  server.registerTool(
    'write_document',
    {
      title: 'Write a document',
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      description:
        'Save a text as the file of a dashboard or a model, atomically. A text with problems is not saved. Returns the change as a diff.',
      inputSchema: z.object({
        kind,
        name: documentName,
        text: documentText,
        base: z.string().optional().describe('the base from read_document; none for a new file'),
        message: z.string().max(200).optional().describe('description of the change, for the history'),
      }),
    },
    ({ kind: of, name, text: given, base, message = '' }, context) =>
      runCall(context, async call => {
        const {
          file,
          diff,
          problems = [],
        } = await workspace.writeDocument(of, name, given, base, message, call);
        const found = problems.length > 0 ? `\nSaved, but with problems:\n${problemLines(problems)}` : '';
        return textResult(`${diff || `${file} is unchanged.`}${found}`);
      }),
  );
}

const schemaTexts = new Map<DocumentKind, string>();

/** Made once: it takes some 10 ms. */
function schemaText(of: DocumentKind): string {
  const text = schemaTexts.get(of) ?? JSON.stringify(jsonSchemaOf(of));
  schemaTexts.set(of, text);
  return text;
}
