import { actionObjects, isAtLeast, roles, type Action, type ActionObject, type Role } from '@belvedere/api';
import { Button, SearchField, Select } from '@belvedere/ui';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { AccessDialog } from '../../../accounts/sharing/AccessDialog.tsx';
import { usePermissionTable, useUsers } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useSession } from '../../../data/server.ts';
import { SettingsPage } from '../SettingsPage.tsx';

/** What each role may do, as the server checks it. */
export function PermissionsScreen() {
  const { data, error, isPending, refetch } = usePermissionTable();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = (data?.actions ?? []).filter(action => searchedText(action).includes(wanted));
  const objects = actionObjects.filter(object => found.some(action => action.object === object));
  return (
    <SettingsPage title={words.permissions.title} hint={words.permissions.hint} isWide>
      <WhyForm />
      <div className="max-w-72 pt-4">
        <SearchField label={words.permissions.search} maxLength={200} value={search} onChange={setSearch} />
      </div>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {objects.map(object => (
          <Actions
            key={object}
            object={object}
            actions={found.filter(action => action.object === object)}
            ceilings={object in words.permissions.kinds ? data?.ceilings : undefined}
          />
        ))}
        {objects.length === 0 ? <p className="pt-5 text-text-2">{words.permissions.noMatch}</p> : null}
      </QueryState>
    </SettingsPage>
  );
}

/** Leads to what a person may see, and why. */
function WhyForm() {
  const { data } = useUsers();
  const { data: session } = useSession();
  const [chosen, setChosen] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const users = data?.users ?? [];
  const user = users.find(({ id }) => id === chosen) ?? users[0];
  if (!user) return null;
  return (
    <section
      aria-label={words.permissions.why}
      className="mt-5 flex flex-wrap items-end gap-x-4 gap-y-2 rounded-tile border border-border bg-surface px-4 py-3"
    >
      <div className="min-w-60 flex-1">
        <h2 className="font-semibold">{words.permissions.why}</h2>
        <p className="text-12 text-text-2">{words.permissions.whyHint}</p>
      </div>
      <div className="flex flex-1 items-center justify-end gap-2">
        <span className="min-w-40 flex-1">
          <Select
            label={words.permissions.person}
            value={user.id}
            options={users.map(({ id, name, email }) => ({ value: id, label: name, detail: email }))}
            onChange={setChosen}
          />
        </span>
        <Button onPress={() => setIsOpen(true)}>{words.permissions.show}</Button>
      </div>
      {isOpen ? (
        <AccessDialog user={user} isSelf={user.id === session?.user.id} onClose={() => setIsOpen(false)} />
      ) : null}
    </section>
  );
}

type Ceilings = NonNullable<ReturnType<typeof usePermissionTable>['data']>['ceilings'];

interface ActionsProps {
  readonly object: ActionObject;
  readonly actions: readonly Action[];
  /** Of objects that are shared with levels. */
  readonly ceilings: Ceilings | undefined;
}

/** The actions on one kind of object: a column for each role, or on phones the least role in words. */
function Actions({ object, actions, ceilings }: ActionsProps) {
  const title = words.permissions.objects[object];
  return (
    <section aria-label={title} className="pt-6">
      <h2 className="pb-2 text-15 font-semibold">{title}</h2>
      <div className="relative overflow-x-auto rounded-tile border border-border bg-surface">
        <table aria-label={title} className="w-full text-13 sm:table-fixed">
          <thead className="text-12 text-text-2">
            <tr className="border-b border-border">
              <th scope="col" className="h-9 px-3 text-start font-medium sm:w-[30%]">
                {words.permissions.action}
              </th>
              <th scope="col" className="px-3 text-start font-medium sm:w-[13%]">
                {words.permissions.requires}
              </th>
              {roles.map(role => (
                <th key={role} scope="col" className={`${roleCell} font-medium`}>
                  {words.roles[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {actions.map(action => (
              <ActionRow key={action.name} action={action} />
            ))}
          </tbody>
          {ceilings ? <Limits object={object} ceilings={ceilings} /> : null}
        </table>
      </div>
    </section>
  );
}

const roleCell = 'px-1 text-center max-sm:hidden wrap-anywhere';

function ActionRow({ action }: { readonly action: Action }) {
  const { role, endpoints } = action;
  const mayUse = (one: Role) => role === undefined || isAtLeast(one, role);
  return (
    <tr className="border-b border-border align-top last:border-0 hover:bg-hover">
      <th scope="row" className="px-3 py-2 text-start font-normal">
        <details>
          <summary className="cursor-pointer pointer-coarse:py-1.5">{labelOf(action)}</summary>
          <ul
            aria-label={words.permissions.endpoints(endpoints.length)}
            className="pt-1.5 pb-1 text-12 text-text-2"
          >
            {endpoints.map(endpoint => (
              <li key={`${endpoint.method} ${endpoint.path}`} className="py-0.5 wrap-anywhere">
                <code className="font-mono">
                  {endpoint.method} {endpoint.path}
                </code>
                <span className="block text-text-3">{noteOf(endpoint)}</span>
              </li>
            ))}
          </ul>
        </details>
      </th>
      <td className="px-3 py-2 text-text-2">
        <span className={action.level ? 'block' : 'block max-sm:hidden'}>{levelOf(action)}</span>
        <span className="block sm:hidden">
          {role === undefined ? words.permissions.anyone : words.permissions.from(words.roles[role])}
        </span>
      </td>
      {roles.map(one => (
        <td key={one} className={`${roleCell} py-2`}>
          {mayUse(one) ? (
            <Check size={15} aria-label={words.permissions.allowed} className="mx-auto text-accent" />
          ) : (
            <span role="img" aria-label={words.permissions.refused} className="text-text-3">
              –
            </span>
          )}
        </td>
      ))}
    </tr>
  );
}

/** The highest level of each role on a kind of object. */
function Limits({
  object,
  ceilings,
}: {
  readonly object: ActionObject;
  readonly ceilings: NonNullable<ActionsProps['ceilings']>;
}) {
  const levelFor = (role: Role) => {
    const level = ceilings[role][object as keyof Ceilings[Role]];
    return level ? words.share.levels[level] : '–';
  };
  return (
    <tfoot className="border-t border-border-strong text-12 text-text-2">
      <tr>
        <th scope="row" colSpan={2} className="px-3 py-2 text-start font-medium">
          {words.permissions.limit}
          <span className="block font-normal sm:hidden">
            {roles.map(role => `${words.roles[role]}: ${levelFor(role)}`).join(' · ')}
          </span>
        </th>
        {roles.map(role => (
          <td key={role} className={`${roleCell} py-2`}>
            {levelFor(role)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

function labelOf({ object, name }: Pick<Action, 'object' | 'name'>): string {
  const labels: Readonly<Record<string, string>> = words.permissions.actions[object];
  return labels[name] ?? name;
}

function levelOf({ object, level, role }: Action): string {
  if (role === undefined) return '–';
  if (!level) return role === roles[0] ? '–' : words.roles[role];
  const name = words.share.levels[level.least];
  return level.on === object
    ? words.permissions.onIt(name)
    : words.permissions.onObject(name, words.permissions.kinds[level.on]);
}

function noteOf({ token, whileViewingAs, guests }: Action['endpoints'][number]): string {
  return [
    token === undefined ? words.permissions.noToken : words.permissions.token(token),
    ...(whileViewingAs ? [words.permissions.whileViewingAs] : []),
    ...(guests === 'no' ? [] : [words.permissions.guests[guests]]),
  ].join(' · ');
}

/** What an action is found by: its texts, and the requests that it makes. */
function searchedText(action: Action): string {
  const paths = action.endpoints.map(({ method, path }) => `${method} ${path}`);
  return [words.permissions.objects[action.object], labelOf(action), levelOf(action), ...paths]
    .join('\n')
    .toLowerCase();
}
