import { groupViewedAs } from '@belvedere/api';
import { Button, missingChunks } from '@belvedere/ui';
import { Eye, Hourglass, WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useConnection } from '../data/connection/connection.ts';
import { problemText } from '../data/problem-text.ts';
import { useIsLimited } from '../data/connection/retry-limited.ts';
import { useSession } from '../data/server.ts';
import { viewAs, viewedAs } from '../data/session/view-as.ts';
import { t } from '../messages/messages.ts';

const band = 'flex items-center px-5 py-1.5 text-13 max-[760px]:px-3';
const warning = `${band} bg-warn-weak text-warn`;

/** Messages above every screen: the user that it is viewed as, and the state of the connection. */
export function ShellBanners() {
  const connection = useConnection();
  const isLimited = useIsLimited();
  const isMissingPart = useSyncExternalStore(missingChunks.subscribe, missingChunks.isLacking);
  const isLive = connection === 'live';
  return (
    <>
      {viewedAs === undefined ? null : <ViewAsBanner user={viewedAs} />}
      {isLive ? null : <ConnectionBanner connection={connection} />}
      {isLive && isLimited ? (
        <p role="status" className={`no-print gap-2 ${warning}`}>
          <Hourglass size={15} aria-hidden className="shrink-0" />
          {t.connection.limited}
        </p>
      ) : null}
      {isLive && isMissingPart ? <MissingPartBanner /> : null}
    </>
  );
}

function ViewAsBanner({ user }: { readonly user: string }) {
  const { error } = useSession();
  const group = groupViewedAs(user);
  const now = group === undefined ? t.viewAs.now(user) : t.viewAs.member(group);
  return (
    <p role="status" className={`no-print flex-wrap gap-x-3 gap-y-1 bg-accent-weak text-accent-text ${band}`}>
      <span className="flex min-w-0 items-center gap-2">
        <Eye size={15} aria-hidden className="shrink-0" />
        <span className="min-w-0 wrap-anywhere">{error ? problemText(error) : now}</span>
      </span>
      <Button look="quiet" onPress={() => viewAs(undefined)}>
        {t.viewAs.back}
      </Button>
    </p>
  );
}

function ConnectionBanner({ connection }: { readonly connection: ReturnType<typeof useConnection> }) {
  const { data: session } = useSession();
  // A team's user signs in again in a dialog or on a page of its own.
  if (connection === 'signed-out' && session?.mode === 'team') return null;
  return (
    <p role="status" className={`gap-2 ${warning}`}>
      <WifiOff size={15} aria-hidden className="shrink-0" />
      {connection === 'signed-out' ? t.connection.signedOut : t.connection.lost}
    </p>
  );
}

/** A part of the app could not be loaded, so the page has to be. */
function MissingPartBanner() {
  return (
    <p role="alert" className={`no-print flex-wrap gap-x-3 gap-y-1 ${warning}`}>
      <span className="min-w-0">{t.connection.partFailed}</span>
      <Button look="quiet" onPress={() => location.reload()}>
        {t.errors.reload}
      </Button>
    </p>
  );
}
