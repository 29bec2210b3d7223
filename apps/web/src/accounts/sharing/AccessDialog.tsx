import type { AccessOfUser, Grant, UserAccount } from '@belvedere/api';
import { Button, Modal, SearchField } from '@belvedere/ui';
import { useState } from 'react';
import { viewAs } from '../../data/session/view-as.ts';
import { useAccessOf } from '../account-data.ts';
import { locale } from '../../messages/messages.ts';
import { QueryState } from '../QueryState.tsx';
import { words } from '../messages/words.ts';
import { grantOrigin, subjectName } from './share-texts.ts';

/** A few objects are found by looking. */
const searchedFrom = 12;

/** What a user may see, and why: for admins who are asked. */
export function AccessDialog({
  user,
  isSelf,
  onClose,
}: {
  readonly user: UserAccount;
  readonly isSelf: boolean;
  readonly onClose: () => void;
}) {
  const { data, error, isPending, refetch } = useAccessOf(user.id);
  const title = words.access.titleOf(user.name);
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-xl">
      <div className="flex max-h-[80vh] flex-col gap-3 overflow-y-auto p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
        <p className="text-text-2">
          {user.isDisabled ? words.access.disabled : `${words.people.role}: ${words.roles[user.role]}`}
        </p>
        <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
          {data ? <Access access={data} isDisabled={user.isDisabled} /> : null}
        </QueryState>
        <div className="flex flex-wrap justify-end gap-2">
          {isSelf || user.isDisabled || user.isService ? null : (
            <Button onPress={() => viewAs(user.email)}>{words.access.viewAs}</Button>
          )}
          <Button onPress={onClose}>{words.close}</Button>
        </div>
      </div>
    </Modal>
  );
}

function Access({ access, isDisabled }: { readonly access: AccessOfUser; readonly isDisabled: boolean }) {
  const [search, setSearch] = useState('');
  const { objects, models, needsNoGrant } = access;
  const wanted = search.trim().toLowerCase();
  const found = objects.filter(({ id, label }) => `${id}\n${label}`.toLowerCase().includes(wanted));
  if (objects.length === 0) return isDisabled ? null : <p>{words.access.empty}</p>;
  return (
    <>
      {needsNoGrant ? <p>{words.access.needsNoGrant}</p> : null}
      {objects.length >= searchedFrom ? (
        <SearchField label={words.access.search} maxLength={200} value={search} onChange={setSearch} />
      ) : null}
      {found.length === 0 ? <p className="text-text-2">{words.access.noMatch}</p> : null}
      <ul aria-label={words.access.objects}>
        {found.map(({ kind, id, label, level, exportRows, grants }) => (
          <li key={`${kind} ${id}`} className="flex items-center gap-3 border-b border-border py-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" title={id}>
                {words.audit.kinds[kind](kind === 'source' && id === 'files' ? words.access.files : label)}
              </span>
              {grants.map(grant => (
                <span key={reason(grant)} className="block text-12 text-text-2 wrap-anywhere">
                  {reason(grant)}
                </span>
              ))}
            </span>
            <span className="shrink-0 text-end text-text-2">
              {words.share.levels[level]}
              {exportRows === undefined ? null : (
                <span className="block text-12">
                  {words.share.exportsOf(exportRows.toLocaleString(locale))}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Rows models={models} />
    </>
  );
}

/** What row policies leave. */
function Rows({ models }: { readonly models: AccessOfUser['models'] }) {
  if (models.length === 0) return null;
  return (
    <section aria-label={words.access.rows}>
      <h3 className="pb-1 text-12 font-medium text-text-2">{words.access.rows}</h3>
      <ul>
        {models.map(({ name, label, policies, hidden }) => {
          const applied = policies.filter(({ isFit }) => isFit);
          return (
            <li key={name} className="border-b border-border py-2 last:border-0">
              <span className="block font-medium wrap-anywhere">{label}</span>
              {applied.length === 0 ? (
                <span className="block text-12 text-text-2">{words.access.noRows}</span>
              ) : (
                applied.map(({ name: policy, text }) => (
                  <span key={policy} className="block text-12 text-text-2 wrap-anywhere">
                    {policy}
                    {text === '' ? null : (
                      <>
                        {': '}
                        <code className="font-mono">{text}</code>
                      </>
                    )}
                  </span>
                ))
              )}
              {hidden.length > 0 ? (
                <span className="block text-12 text-text-2 wrap-anywhere">
                  {words.access.hidden(hidden.join(', '))}
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A grant and where it comes from: `Can view · Everyone in this workspace · From folder Sales`. */
function reason({ subject, from, level, isDeclared, through }: Grant): string {
  return [
    words.share.levels[level],
    subject.kind === 'user' ? words.access.direct : subjectName(subject),
    ...(through ? [words.access.through(through.join(', '))] : []),
    ...(from ? [grantOrigin(from)] : []),
    ...(isDeclared ? [words.share.declared] : []),
  ].join(' · ');
}
