import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { queryCancelled } from '@belvedere/engine';
import { progressInWords, type Progress } from '../commands/progress.ts';
import type { AssistantCall } from './assisted-workspace.ts';
import { errorResult } from './tool-results.ts';

/** Queues a call. Errors are returned to the assistant, which can act on them. */
export type RunCall = (
  context: ServerContext,
  work: (call: AssistantCall) => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** Returns a queue that runs one call at a time and sends its progress to the assistant. */
export function callQueue(): RunCall {
  let latest: Promise<unknown> = Promise.resolve();
  return ({ mcpReq: { signal, notify, _meta: { progressToken } = {} } }, work) => {
    let lastMessage = '';
    let progress = 0;
    const onProgress = (now: Progress) => {
      const message = progressInWords(now).join(' ').trim();
      if (progressToken === undefined || message === lastMessage) return;
      lastMessage = message;
      void notify({
        method: 'notifications/progress',
        params: { progressToken, progress: ++progress, message },
      }).catch(() => {});
    };
    const result = latest
      .then(() => {
        if (signal.aborted) throw queryCancelled();
        return work({ onProgress, signal });
      })
      .catch(errorResult);
    latest = result;
    return result;
  };
}
