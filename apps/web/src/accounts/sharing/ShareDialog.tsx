import {
  includesLevel,
  isAtLeast,
  levels,
  type Grant,
  type Level,
  type Role,
  type Subject,
} from '@belvedere/api';
import { Button, ComboBox, IconButton, Modal, Select, type ComboBoxItem } from '@belvedere/ui';
import { UserRoundPlus, X } from 'lucide-react';
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { client, useSession } from '../../data/server.ts';
import { sharingParams, useGroups, useSharing, useSubjects, type SharedObject } from '../account-data.ts';
import { QueryState } from '../QueryState.tsx';
import { CopyLinkButton } from '../CopyLink.tsx';
import { locale } from '../../messages/messages.ts';
import { ExportLimit } from './ExportLimit.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { PublicLinks } from '../links/PublicLinks.tsx';
import { words } from '../messages/words.ts';
import { InviteDialog } from '../users/InviteDialog.tsx';
import { emailError } from '../sign-in/passwords.ts';
import { rolesToGive } from '../roles-to-give.ts';
import { grantOrigin, subjectDetail, subjectName } from './share-texts.ts';
import { SubjectIcon } from './SubjectIcon.tsx';
import { useChange } from '../use-change.ts';

interface ShareDialogProps {
  readonly shared: SharedObject;
  /** A path of this server; undefined for objects without a page. */
  readonly address?: string | undefined;
  readonly onClose: () => void;
}

/** Lists and changes who has access to an object. */
export function ShareDialog({ shared, address, onClose }: ShareDialogProps) {
  const { data, error, isPending, refetch } = useSharing(shared);
  const { change, problem } = useChange();
  const title = words.share.title(shared.label || words.share.allFolders);
  const grants = useMemo(() => (data?.grants ?? []).toSorted(compareGrants), [data]);
  const [levelToAdd, setLevelToAdd] = useState<Level>(levelsFor(shared)[0]!);
  const [emailToInvite, setEmailToInvite] = useState<string>();
  const isForEditors =
    (shared.kind === 'dashboard' || shared.kind === 'folder') &&
    [levelToAdd, ...grants.filter(({ from }) => !from).map(({ level }) => level)].some(level =>
      includesLevel(level, 'edit'),
    );
  const put = (subject: Pick<Subject, 'kind' | 'id'>, level: Level | null, exportRows?: number | null) =>
    void change(() =>
      client.putGrant({
        params: sharingParams(shared),
        body: {
          subject: { kind: subject.kind, id: subject.id },
          level,
          ...(exportRows !== undefined && { exportRows }),
        },
      }),
    );
  if (emailToInvite !== undefined)
    return (
      <InviteToShare
        email={emailToInvite}
        shared={shared}
        level={levelToAdd}
        onClose={() => {
          setEmailToInvite(undefined);
          void refetch();
        }}
      />
    );
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <div className="flex max-h-[80vh] flex-col gap-4 overflow-y-auto p-5">
        <h2 className="truncate text-15 font-semibold">{title}</h2>
        <AddSubject
          shared={shared}
          grants={grants}
          admins={data?.admins ?? []}
          level={levelToAdd}
          onLevel={setLevelToAdd}
          onAdd={(subject, level) => put(subject, level)}
          onInvite={setEmailToInvite}
        />
        <FormProblem problem={problem} />
        <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
          <section aria-label={words.share.access}>
            <h3 className="pb-1 text-12 font-medium text-text-2">{words.share.access}</h3>
            {grants.length + (data?.invited ?? []).length === 0 ? (
              <p className="py-2 text-text-2">{words.share.empty}</p>
            ) : null}
            <ul>
              {grants.map(grant => (
                <GrantRow
                  key={`${keyOf(grant.subject)} ${grant.from?.kind ?? ''} ${grant.from?.id ?? ''}`}
                  grant={grant}
                  shared={shared}
                  onLevel={level => put(grant.subject, level)}
                  onExportRows={rows => put(grant.subject, grant.level, rows)}
                />
              ))}
              {(data?.invited ?? []).map(({ email, level }) => (
                <PersonRow key={email} name={email} note={words.share.invited}>
                  {words.share.levels[level]}
                </PersonRow>
              ))}
            </ul>
          </section>
          {isForEditors ? <p className="text-12 text-text-2">{words.share.editorsExplore}</p> : null}
          <Admins admins={data?.admins ?? []} />
        </QueryState>
        {shared.kind === 'dashboard' ? <PublicLinks dashboard={shared.id} /> : null}
        <div className="flex flex-wrap items-center justify-between gap-2">
          {address === undefined ? (
            <span />
          ) : (
            <CopyLinkButton address={new URL(address, window.location.origin).href} />
          )}
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}

/** The levels that apply to an object. Models and sources are queried, not viewed. */
const levelsFor = ({ kind }: SharedObject): readonly Level[] =>
  kind === 'model' || kind === 'source' ? levels.filter(level => level !== 'view') : levels;

const kindOrder = ['everyone', 'group', 'user'] as const;

/** Own grants before inherited ones; then everyone, groups, users, each by name. A change of level does not move an entry. */
function compareGrants(a: Grant, b: Grant): number {
  return (
    Number(a.from !== undefined) - Number(b.from !== undefined) ||
    kindOrder.indexOf(a.subject.kind) - kindOrder.indexOf(b.subject.kind) ||
    a.subject.name.localeCompare(b.subject.name)
  );
}

const keyOf = ({ kind, id }: Pick<Subject, 'kind' | 'id'>) => `${kind} ${id}`;

const inviteKey = 'invite';

function AddSubject({
  shared,
  grants,
  admins,
  level,
  onLevel,
  onAdd,
  onInvite,
}: {
  readonly shared: SharedObject;
  readonly grants: readonly Grant[];
  readonly admins: readonly { readonly email: string }[];
  readonly level: Level;
  readonly onLevel: (level: Level) => void;
  readonly onAdd: (subject: Subject, level: Level) => void;
  readonly onInvite: (email: string) => void;
}) {
  const [text, setText] = useState('');
  const email = text.trim().toLowerCase();
  const { data } = useSubjects(useDeferredValue(text.trim()));
  const role = useSession().data?.role;
  const mayInvite = role !== undefined && isAtLeast(role, 'admin');
  // An inherited level can be raised here.
  const own = new Set(grants.filter(({ from }) => !from).map(({ subject }) => keyOf(subject)));
  const subjects = [
    ...(beginsWith(words.share.everyone, text) ? [everyone] : []),
    ...(data?.subjects ?? []).filter(
      ({ kind, email }) => kind !== 'everyone' && !admins.some(admin => admin.email === email),
    ),
  ];
  const items = subjects.map((subject): ComboBoxItem => {
    const isOwn = own.has(keyOf(subject));
    return {
      id: keyOf(subject),
      title: subjectName(subject),
      detail: isOwn ? words.share.hasAccess : subjectDetail(subject),
      icon: <SubjectIcon kind={subject.kind} />,
      isDisabled: isOwn,
    };
  });
  const isKnown = [...admins, ...(data?.subjects ?? [])].some(one => one.email === email);
  if (mayInvite && data && !isKnown && emailError(email) === undefined)
    items.push({
      id: inviteKey,
      title: words.share.invite(email),
      detail: words.share.inviteHint,
      icon: <UserRoundPlus size={15} aria-hidden className="shrink-0 text-text-2" />,
    });
  return (
    <div className="flex gap-2">
      <ComboBox
        label={words.share.add}
        text={text}
        onText={setText}
        items={items}
        empty={mayInvite ? words.share.noneToInvite : words.share.none}
        onChoose={id => {
          if (id === inviteKey) return onInvite(email);
          const subject = subjects.find(one => keyOf(one) === id);
          setText('');
          if (subject) onAdd(subject, level);
        }}
      />
      <span className="w-36 shrink-0">
        <LevelSelect label={words.share.add} shared={shared} level={level} onLevel={onLevel} />
      </span>
    </div>
  );
}

function GrantRow({
  grant: { subject, level, exportRows, from, isDeclared, cappedAt },
  shared,
  onLevel,
  onExportRows,
}: {
  readonly grant: Grant;
  readonly shared: SharedObject;
  readonly onLevel: (level: Level | null) => void;
  readonly onExportRows: (rows: number | null) => void;
}) {
  const userId = useSession().data?.user.id;
  const name = subjectName(subject);
  const isFixed = from !== undefined || isDeclared;
  const notes = [
    subjectDetail(subject),
    from && grantOrigin(from),
    isDeclared ? words.share.declared : undefined,
    cappedAt && words.share.capped(words.share.levels[cappedAt]),
    // Elsewhere the button shows it.
    isFixed && exportRows !== undefined
      ? words.share.exportsOf(exportRows.toLocaleString(locale))
      : undefined,
  ].filter(note => note !== undefined);
  return (
    <li className="flex min-h-11 items-center gap-2.5 py-1 max-sm:flex-wrap">
      <SubjectIcon kind={subject.kind} />
      <span className={`min-w-0 flex-1 ${isFixed ? '' : 'max-sm:basis-3/4'}`}>
        <span className="block truncate font-medium">
          {name}
          {subject.kind === 'user' && subject.id === userId ? (
            <span className="font-normal text-text-2"> · {words.people.you}</span>
          ) : null}
        </span>
        {notes.length > 0 ? (
          <span className="block text-12 text-text-2 wrap-anywhere">{notes.join(' · ')}</span>
        ) : null}
      </span>
      {isFixed ? (
        <span className="shrink-0 px-2 text-text-2">{words.share.levels[level]}</span>
      ) : (
        <span className="flex shrink-0 items-center gap-2.5 max-sm:w-full max-sm:justify-end">
          <ExportLimit name={name} rows={exportRows} onChange={onExportRows} />
          <span className="w-36 shrink-0">
            <LevelSelect
              label={words.share.levelOf(name)}
              shared={shared}
              level={level}
              onLevel={next => next !== level && onLevel(next)}
            />
          </span>
          <IconButton label={words.share.removeOf(name)} onPress={() => onLevel(null)}>
            <X size={15} aria-hidden />
          </IconButton>
        </span>
      )}
    </li>
  );
}

function LevelSelect({
  label,
  shared,
  level,
  onLevel,
}: {
  readonly label: string;
  readonly shared: SharedObject;
  readonly level: Level;
  readonly onLevel: (level: Level) => void;
}) {
  return (
    <Select
      label={label}
      value={level}
      options={levelsFor(shared).map(value => ({ value, label: words.share.levels[value] }))}
      onChange={value => onLevel(value as Level)}
    />
  );
}

const everyone: Subject = { kind: 'everyone', id: '', name: '' };

/** Not any part of the name: “ver” looks for Vera, and must not offer everyone first. */
const beginsWith = (name: string, text: string) => name.toLowerCase().startsWith(text.trim().toLowerCase());

/** Users who need no grant. */
function Admins({
  admins,
}: {
  readonly admins: readonly { readonly name: string; readonly email: string; readonly role: Role }[];
}) {
  return admins.length === 0 ? null : (
    <section aria-label={words.share.admins} className="pt-3">
      <h3 className="pb-1 text-12 font-medium text-text-2">{words.share.admins}</h3>
      <ul>
        {admins.map(({ name, email, role }) => (
          <PersonRow key={email} name={name} note={email}>
            {words.roles[role]}
          </PersonRow>
        ))}
      </ul>
    </section>
  );
}

function PersonRow({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex min-h-10 items-center gap-2.5 py-1">
      <SubjectIcon kind="user" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-12 text-text-2">{note}</span>
      </span>
      <span className="shrink-0 px-2 text-text-2">{children}</span>
    </li>
  );
}

/** Invites a person who has no account yet, with whom the object is shared once they accept. */
function InviteToShare({
  email,
  shared,
  level,
  onClose,
}: {
  readonly email: string;
  readonly shared: SharedObject;
  readonly level: Level;
  readonly onClose: () => void;
}) {
  const role = useSession().data?.role;
  const { data } = useGroups();
  return (
    <InviteDialog
      email={email}
      share={{ shared, level }}
      groups={data?.groups ?? []}
      roles={rolesToGive(role)}
      onClose={onClose}
    />
  );
}
