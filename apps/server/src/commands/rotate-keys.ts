import type { Kysely } from 'kysely';
import { rotateSecret, dropEarlierSecrets, type SealingSecrets } from '../auth/secrets/stored-secret.ts';
import { sealedPrefix, settingsPurpose } from '../auth/secrets/sealed-settings.ts';
import { TextSealer } from '../auth/secrets/sealed-text.ts';
import { ProblemError } from '../http/problems.ts';
import { AuditLog } from '../state/administration/audit-log.ts';
import { beatMs, type Notification } from '../state/database/notifications.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import type { Tables } from '../state/tables/tables.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { reencryptSecrets } from '../workspace/sources/secrets.ts';
import { userStateFolder } from '../workspace/user-state.ts';
import { lockWorkspace, WorkspaceLockedError, type WorkspaceLock } from '../workspace/workspace-lock.ts';

/** How many secrets were sealed again, by kind, and those that no key of this instance opens. */
export interface RotatedKeys {
  readonly authenticators: number;
  readonly embedKeys: number;
  readonly channels: number;
  /** The mail server and sign-in providers that owners have entered. */
  readonly settings: number;
  readonly passwords: number;
  readonly unreadable: number;
}

/** The steps of a rotation, each of which leaves everything readable. */
export type RotationStep = 'new keys' | 'sealed' | 'old keys gone';

/**
 * Replaces the keys with which this instance seals secrets: keys of authenticator apps and of embedding,
 * addresses and keys of channels, the mail server and sign-in providers, and typed passwords of sources. New
 * keys are stored beside the old ones, then all records are sealed again in one transaction, then the old keys
 * are deleted, except those that other workspaces of the account share. A process that ends at any moment
 * leaves secrets that can be opened, and the next rotation completes it.
 *
 * @param onStep called after each step
 * @throws ProblemError `not-allowed` while a server has the workspace open, or uses the same state database: it
 * has the old keys in memory
 */
export async function rotateKeys(
  location: ResolvedWorkspace,
  onStep: (step: RotationStep) => void = () => {},
): Promise<RotatedKeys> {
  const hold = await lockedFor(
    location.state,
    holder => `Belvedere, ${holder}, has this folder open. Stop it, then rotate the keys.`,
  );
  try {
    const own = await userStateFolder(location.root);
    if (own === undefined) return await rotate(location, own, hold, onStep);
    // Two rotations at once, of two workspaces, would each write a file without the other's new key.
    const ownHold = await lockedFor(
      own,
      holder => `The keys of another workspace are being rotated by ${holder}. Wait until it has ended.`,
    );
    return await rotate(location, own, hold, onStep).finally(() => ownHold.release());
  } finally {
    await hold.release();
  }
}

async function lockedFor(folder: string, refused: (holder: string) => string): Promise<WorkspaceLock> {
  return lockWorkspace(folder).catch((error: unknown) => {
    if (!(error instanceof WorkspaceLockedError)) throw error;
    const { pid, host } = error.holder;
    throw new ProblemError('not-allowed', refused(`process ${pid} on ${host}`), { cause: error });
  });
}

/** @param own the user's state directory, which all workspaces of an account share */
async function rotate(
  { root, state: folder, stateUrl }: ResolvedWorkspace,
  own: string | undefined,
  hold: WorkspaceLock,
  onStep: (step: RotationStep) => void,
): Promise<RotatedKeys> {
  const state = await openStateDatabase({ folder, url: stateUrl }, hold.check);
  try {
    if (await hasOtherServers(state))
      throw new ProblemError(
        'not-allowed',
        'Another server uses this state database. Stop it, then rotate the keys.',
      );
    const accounts = await rotateSecret(folder, '.accounts-secret');
    // In local mode, the secret of channels is in the user's state directory.
    const folders = [folder, ...(own === undefined ? [] : [own])];
    const channels: SealingSecrets[] = [];
    for (const one of folders) channels.push(await rotateSecret(one, '.channels-secret'));
    onStep('new keys');
    const sealed = await state.transaction(async () => {
      const { db } = state;
      const counts = {
        authenticators: await sealAgain(db, authenticators, [new TextSealer(accounts, 'totp')]),
        embedKeys: await sealAgain(db, embedKeys, [new TextSealer(accounts, 'embed keys')]),
        channels: await sealAgain(
          db,
          channelSecrets,
          channels.map(secret => new TextSealer(secret, 'channels')),
        ),
        settings: await sealAgain(
          db,
          sealedSettings,
          channels.map(secret => new TextSealer(secret, settingsPurpose)),
        ),
      };
      await new AuditLog(state).add({
        actor: 'Command line',
        action: 'server.rotate-keys',
        outcome: 'done',
      });
      return counts;
    });
    const passwords = await reencryptSecrets(root);
    onStep('sealed');
    const unreadable = Object.values(sealed).reduce((sum, { left }) => sum + left, passwords.left);
    // A record that no key opens is as unreadable without the old ones.
    await dropEarlierSecrets(folder, '.accounts-secret');
    // Those of the user stay: channels of other workspaces open with them.
    await dropEarlierSecrets(folder, '.channels-secret');
    onStep('old keys gone');
    return {
      authenticators: sealed.authenticators.done,
      embedKeys: sealed.embedKeys.done,
      channels: sealed.channels.done,
      settings: sealed.settings.done,
      passwords: passwords.done,
      unreadable,
    };
  } finally {
    await state.close();
  }
}

/** Listens for the beats of servers that use the same database on PostgreSQL, as long as a few of them take. */
async function hasOtherServers({ notifications }: StateDatabase): Promise<boolean> {
  if (!notifications) return false;
  const heard = Promise.withResolvers<boolean>();
  const isBeat = ({ table, sent }: Notification) => table === undefined && sent === undefined;
  await notifications.start({
    onMessage: message => isBeat(message) && heard.resolve(true),
    onGap: () => {},
  });
  const timer = setTimeout(() => heard.resolve(false), 3 * beatMs);
  return heard.promise.finally(() => clearTimeout(timer));
}

/** Where sealed texts are, and whose each is. */
interface SealedColumn {
  readonly all: (db: Kysely<Tables>) => Promise<readonly { readonly owner: string; readonly text: string }[]>;
  readonly put: (db: Kysely<Tables>, owner: string, text: string) => Promise<unknown>;
}

const authenticators: SealedColumn = {
  all: db => db.selectFrom('totp').select(['user_id as owner', 'key as text']).execute(),
  put: (db, owner, key) => db.updateTable('totp').set({ key }).where('user_id', '=', owner).execute(),
};
const embedKeys: SealedColumn = {
  all: db => db.selectFrom('embed_key').select(['id as owner', 'secret as text']).execute(),
  put: (db, owner, secret) => db.updateTable('embed_key').set({ secret }).where('id', '=', owner).execute(),
};
const channelSecrets: SealedColumn = {
  all: db => db.selectFrom('channel').select(['id as owner', 'secret as text']).execute(),
  put: (db, owner, secret) => db.updateTable('channel').set({ secret }).where('id', '=', owner).execute(),
};
const sealedSettings: SealedColumn = {
  all: db =>
    db
      .selectFrom('team_setting')
      .select(['name as owner', 'value as text'])
      .where('name', 'like', `${sealedPrefix}%`)
      .execute(),
  put: (db, owner, value) =>
    db.updateTable('team_setting').set({ value }).where('name', '=', owner).execute(),
};

/** Seals texts again with the sealer that opens them. */
async function sealAgain(
  db: Kysely<Tables>,
  { all, put }: SealedColumn,
  sealers: readonly TextSealer[],
): Promise<{ readonly done: number; readonly left: number }> {
  const [texts, counts] = [await all(db), { done: 0, left: 0 }];
  for (const { owner, text } of texts) {
    const opened = sealers
      .map(sealer => ({ sealer, plain: sealer.open(text, owner) }))
      .find(({ plain }) => plain !== undefined);
    if (opened) await put(db, owner, opened.sealer.seal(opened.plain!, owner));
    counts[opened ? 'done' : 'left']++;
  }
  return counts;
}
