import { documentProblems } from '../../presenters/document-problems.ts';
import { calendarOf } from '@belvedere/document';
import { includesLevel, isAtLeast, type TimeSettings } from '@belvedere/api';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { isAuthor, levelOf, mayReadRaw } from '../../access/may.ts';
import type { QueryService } from '../../queries/query-service.ts';
import { EventStreams } from '../../events/event-streams.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { importWarnings } from '../../presenters/import-warnings.ts';
import { presentQuery } from '../../presenters/present-queries.ts';
import { ProblemError } from '../../http/problems.ts';
import type { SystemStatus } from '../../operations/system-status.ts';
import type { Presence } from '../../events/presence.ts';
import { documentObject, streamEvents } from '../../events/stream-events.ts';
import { assembleDashboardInSteps } from '../../workspace/assemble-dashboard.ts';
import { finishInTurns } from '../../workspace/steps.ts';
import { queryableWorkspace } from '../../access/granted-workspace.ts';
import { assembleAlert } from '../../workspace/assemble-alert.ts';
import { assembleReport } from '../../workspace/assemble-report.ts';
import { plainProblem } from '../../workspace/documents/document-repository.ts';
import type { DocumentText } from '../../workspace/documents/read-documents.ts';
import { saveTimeSettings } from '../../workspace/documents/save-time-settings.ts';
import {
  unknownRecipients,
  unknownRecipientsIn,
  type RecipientNames,
} from '../../workspace/unknown-recipients.ts';
import { shownFile } from '../../workspace/tables/shown-file.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import type { Handlers } from '../contract/mount-contract.ts';

export function systemRoutes(
  store: WorkspaceStore,
  queries: QueryService,
  presence: Presence,
  status: SystemStatus,
  note: NoteCall,
  about: {
    readonly version: string;
    readonly isSample: boolean;
    readonly mode: 'local' | 'team';
    /** The users as whom an owner or admin may view the workspace. */
    readonly people: () => string[];
    /** Whom alerts and reports can name. */
    readonly recipients: () => RecipientNames;
    /** Called when what callers may see has changed. */
    readonly onAccessChange: (tell: () => void) => () => void;
    /** Returns the caller of an open stream as they are now; undefined if they are signed out. */
    readonly callerNow: (request: FastifyRequest) => Promise<Caller | undefined>;
  },
): Pick<
  Handlers,
  | 'getSession'
  | 'getEvents'
  | 'putPresence'
  | 'validate'
  | 'listProblems'
  | 'putTimeSettings'
  | 'getSystem'
  | 'cancelQuery'
> {
  const open = new EventStreams();
  const timeSettings = (): TimeSettings => ({
    timezone: store.current.timezone,
    calendar: calendarOf(store.current.settings),
  });
  return {
    getSession: ({ caller }) => ({
      mode: about.mode,
      user: {
        id: caller.userId,
        name: caller.name,
        ...(caller.email !== undefined && { email: caller.email }),
        ...(caller.zone !== undefined && { zone: caller.zone }),
      },
      role: caller.role,
      ...(caller.viewingAs !== undefined && { viewingAs: caller.viewingAs }),
      workspace: {
        title: store.current.title,
        isSample: about.isSample,
        ...timeSettings(),
      },
      version: about.version,
      people: isAtLeast(caller.role, 'admin') && caller.viewingAs === undefined ? about.people() : [],
    }),

    listProblems: ({ caller, granted }) => ({
      problems: documentProblems(
        store.current,
        caller,
        unknownRecipients(store.documents, about.recipients()),
      ),
      // Warnings quote values of whole tables.
      warnings: mayReadRaw(caller, store.current)
        ? importWarnings(granted(), file => shownFile(file, store.folders.root))
        : [],
    }),
    validate: async ({ body: { kind, text }, granted }) => {
      const file = `${kind}.yaml`;
      const read = await store.reader.read(kind, text, file);
      if (!read.ok) return { errors: read.problems.map(plainProblem) };
      // Only what the caller may see counts as known, so that no name tells of the rest.
      if (kind === 'dashboard') {
        const found = { file, text, updated: '', read } as DocumentText<'dashboard'>;
        const around = queryableWorkspace(granted());
        const steps = assembleDashboardInSteps(kind, found, undefined, around);
        const { problems } = await finishInTurns(steps);
        return { errors: problems.map(plainProblem) };
      }
      if (kind !== 'alert' && kind !== 'report') return { errors: [] };
      const found = { file, text, updated: '', read } as DocumentText<'alert' | 'report'>;
      const { problems } =
        kind === 'alert'
          ? assembleAlert(kind, found as DocumentText<'alert'>, granted())
          : assembleReport(kind, found as DocumentText<'report'>, granted());
      const recipients = unknownRecipientsIn(kind, found, about.recipients());
      return { errors: [...problems, ...recipients].map(plainProblem) };
    },

    putTimeSettings: async ({ body, ...call }) => {
      await saveTimeSettings(store, body);
      await note(call, 'settings.change', 'time zone and calendar');
      return timeSettings();
    },

    getSystem: () => status.report(),

    cancelQuery: async ({ params, caller, request }) => {
      const query = queries.listed.cancel(params.query);
      if (!query) throw new ProblemError('not-found', 'This query has ended.');
      const { dashboard, source, user } = presentQuery(query, store.current);
      const object = dashboard ? `dashboard ${dashboard.id}` : `source ${source}`;
      await note({ caller, request }, 'query.cancel', object, user.name);
      return {};
    },

    putPresence: ({ params, caller, body: { document, position, isEditing = false } }) => {
      // Those who only read do not see who else is there.
      const isSeen =
        isAuthor(caller) &&
        !presence.isOthers(params.window, caller.userId) &&
        (document === undefined ||
          includesLevel(levelOf(caller, documentObject(document), store.current), 'edit'));
      if (!isSeen) return { windows: [] };
      presence.put(
        params.window,
        document === undefined
          ? undefined
          : {
              document,
              isEditing,
              ...(position !== undefined && { position }),
              ...(about.mode === 'team' && { user: { id: caller.userId, name: caller.name } }),
            },
      );
      return { windows: document === undefined ? [] : presence.on(document) };
    },

    getEvents: ({ query, reply, caller, request }) =>
      streamEvents({ store, presence, open, ...about }, { query, reply, caller, request }),
  };
}
