import { includesLevel, isAtLeast, type Level, type TokenScope, type UserGroup } from '@belvedere/api';
import type { PolicySubject } from '@belvedere/model';
import type { People } from '../auth/accounts/people.ts';
import type { Grant, Grants as GrantRecords } from '../state/sharing/grants.ts';
import type { Groups } from '../state/accounts/groups.ts';
import type { User } from '../state/accounts/users.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller, ExportGrant, Grants } from './caller.ts';
import { declaredGrants } from './declared-grants.ts';
import { groupsOf } from './groups-of.ts';
import { grantKey } from './may.ts';
import { scopeRoles } from './rules.ts';
import { hasPolicies } from './protected-tables.ts';

type Granted = Pick<Caller, 'grants' | 'exportGrants'>;

/**
 * Who there is and what is shared with them, as of the last change, so that no request has to ask the state
 * database. Changes of other servers on the same state database are read once it notifies of them.
 */
export class Directory {
  readonly #people: People | undefined;
  readonly #groupRecords: Groups | undefined;
  readonly #records: GrantRecords;
  readonly #listeners = new Set<() => void>();
  #grants: readonly Grant[] = [];
  #groups: ReadonlyMap<string, UserGroup> = new Map();
  /** What is shared with each user, computed when it is first needed. */
  #granted = new Map<string, Granted>();
  #grantedBy: Workspace['declaredGrants'] | undefined;
  #declared:
    | {
        readonly from: Workspace['declaredGrants'];
        readonly users: ReadonlyMap<string, User>;
        readonly groups: ReadonlyMap<string, UserGroup>;
        readonly grants: readonly (Grant & { readonly isDeclared: boolean })[];
      }
    | undefined;
  /** How many readings have begun, and which one is in use. */
  #readings = 0;
  #latest = 0;

  /** @param accounts absent in local mode, which has one user */
  constructor(
    accounts: { readonly people: People; readonly groups: Groups } | undefined,
    records: GrantRecords,
  ) {
    this.#people = accounts?.people;
    this.#groupRecords = accounts?.groups;
    this.#records = records;
    this.#people?.subscribe(() => this.refresh());
  }

  get users(): ReadonlyMap<string, User> {
    return this.#people?.byId ?? new Map();
  }

  get groups(): ReadonlyMap<string, UserGroup> {
    return this.#groups;
  }

  /** All grants: those of the state database and those that the workspace declares. */
  grantsIn(workspace: Workspace): readonly (Grant & { readonly isDeclared: boolean })[] {
    return [...this.#grants.map(grant => ({ ...grant, isDeclared: false })), ...this.#declaredIn(workspace)];
  }

  /** Found once for all users: there may be tens of thousands. */
  #declaredIn(workspace: Workspace): readonly (Grant & { readonly isDeclared: boolean })[] {
    const { declaredGrants: from } = workspace;
    const { users } = this;
    if (
      this.#declared?.from !== from ||
      this.#declared.users !== users ||
      this.#declared.groups !== this.#groups
    )
      this.#declared = {
        from,
        users,
        groups: this.#groups,
        grants: declaredGrants(workspace, users, this.#groups).map(grant => ({ ...grant, isDeclared: true })),
      };
    return this.#declared.grants;
  }

  /** Reads groups and grants again, after any change of users, groups, grants or places of documents. */
  async refresh(): Promise<void> {
    if (!this.#groupRecords) return;
    const reading = ++this.#readings;
    const groups = new Map((await this.#groupRecords.list()).map(group => [group.id, group]));
    const grants = await this.#records.all();
    // One that began later has ended already: what it read is newer, and must not come back.
    if (reading < this.#latest) return;
    this.#latest = reading;
    [this.#groups, this.#grants] = [groups, grants];
    this.#granted = new Map();
    for (const tell of this.#listeners) tell();
  }

  /** @returns a function that ends the subscription */
  subscribe(tell: () => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }

  /**
   * Returns a user as the caller of requests; undefined if there is none or the account is disabled.
   *
   * @param token with which a program calls as the user; its scope limits the role
   */
  callerOf(userId: string, workspace: Workspace, token?: Caller['token']): Caller | undefined {
    const user = this.users.get(userId);
    if (!user || user.isDisabled) return undefined;
    const { id, name, email, zone, role } = user;
    const isAdmin = isAtLeast(role, 'admin');
    const maxRole = token && scopeRoles[token.scope];
    const isLimited = maxRole !== undefined && !isAtLeast(maxRole, 'admin');
    return {
      userId: id,
      name,
      email,
      ...(zone !== undefined && { zone }),
      role: maxRole === undefined || isAtLeast(maxRole, role) ? role : maxRole,
      ...(isAdmin && !isLimited ? { grants: 'all' } : this.#grantsOf(user, workspace, token?.scope)),
      rows: isAdmin || !hasPolicies(workspace) ? 'all' : this.#subjectOf(user),
      ...(token && { token }),
    };
  }

  /**
   * Returns a viewer who is only in this group; undefined if there is no such group. Members with attributes or
   * other groups may see other rows.
   */
  memberOf(groupName: string, workspace: Workspace): Caller | undefined {
    const group = [...this.#groups.values()].find(({ name }) => name === groupName);
    if (!group) return undefined;
    const role = 'viewer' as const;
    const member = { id: `member:${group.id}`, role, groups: [group.id], attributes: {} };
    return {
      userId: member.id,
      name: group.name,
      role,
      ...this.#grantsOf(member, workspace),
      rows: hasPolicies(workspace) ? this.#subjectOf(member) : 'all',
    };
  }

  /** What row policies know of a user: the names of their groups, and attributes with their e-mail address. */
  #subjectOf({
    email,
    groups,
    attributes,
  }: Pick<User, 'groups' | 'attributes'> & { readonly email?: string }): PolicySubject {
    const own = groupsOf({ groups }, this.#groups);
    return {
      groups: own.map(({ name }) => name),
      attributes: {
        ...merged(own.map(group => group.attributes)),
        ...attributes,
        ...(email !== undefined && { email }),
      },
    };
  }

  /** Not the same object for different scopes: what a caller sees is remembered by it. */
  #grantsOf(user: Pick<User, 'id' | 'role' | 'groups'>, workspace: Workspace, scope?: TokenScope): Granted {
    const { declaredGrants: declared } = workspace;
    if (this.#grantedBy !== declared) this.#granted = new Map();
    this.#grantedBy = declared;
    if (isAtLeast(user.role, 'admin')) return { grants: everything(workspace) };
    const key = `${user.id} ${scope ?? ''}`;
    const known = this.#granted.get(key);
    if (known) return known;
    const grants = new Map<string, Level>();
    const exportGrants = new Map<string, ExportGrant[]>();
    let isLimited = false;
    const groups = new Set(groupsOf(user, this.#groups).map(({ id }) => id));
    for (const grant of this.grantsIn(workspace)) {
      const { subjectKind, subjectId, objectKind, object, level, exportRows } = grant;
      const isTheirs =
        subjectKind === 'everyone' ||
        (subjectKind === 'user' ? subjectId === user.id : groups.has(subjectId));
      if (!isTheirs) continue;
      const name = grantKey({ kind: objectKind, id: object });
      if (!includesLevel(grants.get(name), level)) grants.set(name, level);
      exportGrants.set(name, [...(exportGrants.get(name) ?? []), { level, exportRows }]);
      isLimited ||= exportRows !== undefined;
    }
    const granted = { grants, ...(isLimited && { exportGrants }) };
    this.#granted.set(key, granted);
    return granted;
  }
}

/**
 * Returns grants of all that there is, for an admin's token that may do less than the admin: what needs no
 * grant at all is for admins.
 */
function everything({ sources }: Workspace): Grants {
  const all = ['files', ...sources.keys()].map(id => grantKey({ kind: 'source', id }));
  return new Map<string, Level>([
    [grantKey({ kind: 'folder', id: '' }), 'manage'],
    ['overviews', 'explore'],
    ...all.map(key => [key, 'manage'] as const),
  ]);
}

/** Joins lists of several groups. Of other values, that of the first group counts. */
function merged(all: readonly UserGroup['attributes'][]): UserGroup['attributes'] {
  const values: UserGroup['attributes'] = {};
  for (const [name, value] of all.flatMap(one => Object.entries(one))) {
    const before = values[name];
    if (before === undefined) values[name] = value;
    else if (Array.isArray(before) && Array.isArray(value))
      values[name] = [...new Set([...before, ...value])];
  }
  return values;
}
