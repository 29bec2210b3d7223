import { Button } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession, client } from '../../data/server.ts';
import { useLinks } from '../account-data.ts';
import { QueryState } from '../QueryState.tsx';
import { words } from '../messages/words.ts';
import { LinkList } from './LinkList.tsx';
import { NewLink } from './NewLink.tsx';

/** The public links of a dashboard, in the dialog in which it is shared. */
export function PublicLinks({ dashboard }: { readonly dashboard: string }) {
  const { data, error, isPending, refetch } = useLinks(dashboard);
  const isOwner = useSession().data?.role === 'owner';
  const [isCreating, setIsCreating] = useState(false);
  return (
    <section aria-label={words.links.title} className="border-t border-border pt-3">
      <h3 className="text-12 font-medium text-text-2">{words.links.title}</h3>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {data && !data.isOn ? (
          <p className="py-1 text-text-2">
            {isOwner ? (
              <Link to="/settings/links" className="text-accent-text underline">
                {words.links.switchOn}
              </Link>
            ) : (
              words.links.isOff
            )}
          </p>
        ) : null}
        {data ? (
          <LinkList
            links={data.links}
            revoke={link => client.revokeLink({ params: { id: dashboard, link } })}
            setLife={(link, days) => client.setLinkLife({ params: { id: dashboard, link }, body: { days } })}
            empty={data.isOn ? words.links.empty : undefined}
          />
        ) : null}
        {data?.isOn && !data.canCreate ? <p className="py-1 text-text-2">{words.links.onlyAdmins}</p> : null}
        {data?.canCreate && !isCreating ? (
          <Button look="quiet" onPress={() => setIsCreating(true)}>
            <Plus size={15} aria-hidden />
            {words.links.add}
          </Button>
        ) : null}
        {data?.canCreate && isCreating ? (
          <NewLink
            dashboard={dashboard}
            isProtected={data.isProtected}
            onClose={() => setIsCreating(false)}
          />
        ) : null}
      </QueryState>
    </section>
  );
}
