import {
  isAtLeast,
  levels,
  type Grant as SharedGrant,
  type Level,
  type Role,
  type Subject,
} from '@belvedere/api';
import { ProblemError } from '../http/problems.ts';
import type { PromisedGrant } from '../state/accounts/invitations.ts';
import type { Grants, SubjectKind } from '../state/sharing/grants.ts';
import type { User } from '../state/accounts/users.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import type { Directory } from './directory.ts';
import { givenExportRows } from './export-limit.ts';
import { groupsOf } from './groups-of.ts';
import { foldersAbove, lowest, sourceOf, type ObjectName } from './may.ts';
import { ceilings } from './rules.ts';

interface SubjectName {
  readonly kind: SubjectKind;
  readonly id: string;
}

const maxSuggestions = 20;

/** With whom the objects of a workspace are shared. */
export class Sharing {
  readonly #grants: Grants;
  readonly #directory: Directory;
  readonly #fileOf: (object: ObjectName) => string | undefined;

  /** @param fileOf the file of a dashboard or model, to whose identity grants refer */
  constructor(grants: Grants, directory: Directory, fileOf: (object: ObjectName) => string | undefined) {
    this.#grants = grants;
    this.#directory = directory;
    this.#fileOf = fileOf;
  }

  /** Returns the grants on an object and on the folders or the source that it is in, strongest first. */
  of(object: ObjectName, workspace: Workspace): SharedGrant[] {
    return this.#on(object, this.#directory.grantsIn(workspace), workspace);
  }

  /** Returns who gets an object once they accept their invitation. */
  async invited(object: ObjectName): Promise<{ readonly email: string; readonly level: Level }[]> {
    return this.#grants.invited(object.kind, await this.#identify(object), new Date());
  }

  /** Returns what an invitation promises, so that it follows documents that move. */
  async promise(object: ObjectName, level: Level): Promise<PromisedGrant> {
    return { objectKind: object.kind, objectId: await this.#identify(object), level };
  }

  #identify(object: ObjectName): Promise<string> {
    return this.#grants.identify(object.kind, object.id, this.#fileOf(object));
  }

  /** Returns a function that finds the grants, of an object, that are a user's, strongest first. */
  grantsOf(user: User, workspace: Workspace): (object: ObjectName) => SharedGrant[] {
    const { groups } = this.#directory;
    const theirs = new Set([user.id, ...groupsOf(user, groups).map(({ id }) => id)]);
    const own = this.#directory
      .grantsIn(workspace)
      .filter(({ subjectKind, subjectId }) => subjectKind === 'everyone' || theirs.has(subjectId));
    const through = ({ kind, id }: Subject) =>
      kind === 'group' && !user.groups.includes(id)
        ? groups
            .get(id)!
            .groups.filter(inner => user.groups.includes(inner))
            .map(inner => groups.get(inner)!.name)
        : [];
    return object =>
      this.#on(object, own, workspace).map(grant => {
        const names = through(grant.subject);
        return names.length === 0 ? grant : { ...grant, through: names };
      });
  }

  #on(object: ObjectName, grants: ReturnType<Directory['grantsIn']>, workspace: Workspace): SharedGrant[] {
    const model = workspace.models.get(object.id)?.model;
    const above: readonly ObjectName[] =
      object.kind === 'dashboard' || object.kind === 'folder'
        ? foldersAbove(object.id).map(id => ({ kind: 'folder', id }))
        : object.kind === 'model'
          ? [{ kind: 'source', id: model ? sourceOf(model, workspace) : '' }]
          : [];
    // The folder of all dashboards is in no other.
    const objects = [object, ...above.filter(one => one.kind !== object.kind || one.id !== object.id)];
    return grants
      .flatMap((grant): SharedGrant[] => {
        const { subjectKind, subjectId, objectKind, object: id, level, exportRows, isDeclared } = grant;
        const on = objects.find(one => one.kind === objectKind && one.id === id);
        const subject = on && this.#subject({ kind: subjectKind, id: subjectId });
        if (!on || !subject) return [];
        const user = this.#directory.users.get(subjectId);
        const maxLevel = user && ceilings[user.role][object.kind];
        return [
          {
            subject,
            level,
            ...(exportRows !== undefined && { exportRows }),
            ...(on !== object && { from: { ...on, label: on.id } }),
            isDeclared,
            ...(maxLevel && lowest(level, maxLevel) !== level && { cappedAt: maxLevel }),
          },
        ];
      })
      .toSorted((a, b) => levels.indexOf(b.level) - levels.indexOf(a.level));
  }

  /** Returns owners and admins, who see everything. */
  admins(): { name: string; email: string; role: Role }[] {
    return [...this.#directory.users.values()]
      .filter(({ role, isDisabled }) => !isDisabled && isAtLeast(role, 'admin'))
      .map(({ name, email, role }) => ({ name, email, role }));
  }

  /** Returns everyone, and the users and groups whose name or e-mail address contains a text. */
  find(search: string): Subject[] {
    const text = search.toLowerCase();
    const groups = [...this.#directory.groups.values()]
      .filter(({ name }) => name.toLowerCase().includes(text))
      .map(({ id }) => this.#subject({ kind: 'group', id })!);
    const users = [...this.#directory.users.values()]
      .filter(
        ({ name, email, isDisabled }) => !isDisabled && `${name}\n${email}`.toLowerCase().includes(text),
      )
      .map(({ id, name, email }): Subject => ({ kind: 'user', id, name, email }));
    const found = [...groups, ...users].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return [{ kind: 'everyone', id: '', name: '' }, ...found.slice(0, maxSuggestions)];
  }

  /**
   * Shares an object, changes a level, or with null stops sharing; it applies from the next request.
   *
   * @param exportRows see `givenExportRows`
   * @returns the limit of exports, if it was changed
   * @throws ProblemError `not-found` for an unknown user or group, `not-allowed` for a declared grant, or for more
   * rows than the caller may export
   */
  async put(
    subject: SubjectName,
    object: ObjectName,
    level: Level | null,
    caller: Caller,
    workspace: Workspace,
    exportRows?: number | null,
  ): Promise<number | null | undefined> {
    const own = this.#directory
      .grantsIn(workspace)
      .filter(
        grant =>
          grant.subjectKind === subject.kind &&
          grant.subjectId === subject.id &&
          grant.objectKind === object.kind &&
          grant.object === object.id,
      );
    if (own.some(({ isDeclared }) => isDeclared))
      throw new ProblemError(
        'not-allowed',
        'This is declared in `access.yaml` or a file in `access/`. Change it there.',
      );
    if (level !== null && !this.#subject(subject))
      throw new ProblemError('not-found', 'This user or group does not exist any more.');
    const rows =
      level === null
        ? undefined
        : givenExportRows(caller, object, { level, requested: exportRows, before: own[0] }, workspace);
    await this.#store(subject, object, level, caller.userId, rows);
    return rows;
  }

  /** Gives what a user has made into their own hands. */
  async makeManager(userId: string, object: ObjectName): Promise<void> {
    await this.#store({ kind: 'user', id: userId }, object, 'manage', userId);
  }

  /** Follows moved, deleted and restored documents. @param folder a folder that was moved */
  async follow(folder?: { readonly from: string; readonly to: string }): Promise<void> {
    if (folder) await this.#grants.moveFolder(folder.from, folder.to);
    await this.#directory.refresh();
  }

  /** Returns the documents, in use or in the trash, that a user may manage by a grant of their own. */
  managedBy(userId: string): Promise<ReadonlySet<string>> {
    return this.#grants.managedBy(userId);
  }

  /** Returns a subject's name, for the audit log. */
  nameOf(subject: SubjectName): string {
    return this.#subject(subject)?.name || subject.kind;
  }

  async #store(
    subject: SubjectName,
    object: ObjectName,
    level: Level | null,
    by: string,
    exportRows?: number | null,
  ): Promise<void> {
    await this.#grants.put(
      { subjectKind: subject.kind, subjectId: subject.id, objectKind: object.kind, object: object.id },
      this.#fileOf(object),
      level,
      by,
      exportRows,
    );
    await this.#directory.refresh();
  }

  #subject({ kind, id }: SubjectName): Subject | undefined {
    if (kind === 'everyone') return { kind, id: '', name: '' };
    const user = kind === 'user' ? this.#directory.users.get(id) : undefined;
    if (user) return { kind, id, name: user.name, email: user.email };
    const group = kind === 'group' ? this.#directory.groups.get(id) : undefined;
    if (!group) return undefined;
    const inner = group.groups.flatMap(one => this.#directory.groups.get(one)?.name ?? []);
    return { kind, id, name: group.name, ...(inner.length > 0 && { groups: inner.toSorted() }) };
  }
}
