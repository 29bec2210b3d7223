import type { Session } from '@belvedere/api';
import { Menu } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { LogOut, Settings, UserRound } from 'lucide-react';
import { forgetOwnData } from '../data/session/browser-data.ts';
import { initialsOf } from '../data/initials.ts';
import { problemText } from '../data/problem-text.ts';
import { client } from '../data/server.ts';
import { announceFailed } from '../downloads/download-store.ts';
import { t } from '../messages/messages.ts';

async function signOut(): Promise<void> {
  try {
    await client.signOut({});
    forgetOwnData();
    window.location.assign('/sign-in');
  } catch (error) {
    announceFailed(problemText(error));
  }
}

/** Who is signed in, with the way to their profile and out. */
export function AccountMenu({ user }: { readonly user: Session['user'] }) {
  const navigate = useNavigate();
  return (
    <Menu
      label={t.account.menu(user.name)}
      className="mt-1 h-9! w-full! justify-start! pointer-coarse:h-11!"
      icon={
        <span className="flex min-w-0 items-center gap-2 ps-1.5">
          <Initials name={user.name} />
          <span className="truncate">{user.name}</span>
        </span>
      }
      groups={() => [
        [
          {
            id: 'profile',
            label: t.account.profile,
            icon: <UserRound size={15} aria-hidden />,
            onAction: () => void navigate({ to: '/settings/profile' }),
          },
          {
            id: 'settings',
            label: t.nav.settings,
            icon: <Settings size={15} aria-hidden />,
            onAction: () => void navigate({ to: '/settings' }),
          },
        ],
        [
          {
            id: 'sign-out',
            label: t.account.signOut,
            icon: <LogOut size={15} aria-hidden />,
            onAction: () => void signOut(),
          },
        ],
      ]}
    />
  );
}

/**
 * A user's initials in a circle, beside their name. The style sheet writes the initials, so that a button's
 * accessible name is the user's name alone.
 */
export function Initials({ name }: { readonly name: string }) {
  return (
    <span
      aria-hidden
      data-initials={initialsOf(name)}
      className={
        'flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-weak text-11 font-semibold ' +
        'text-accent-text before:content-[attr(data-initials)]'
      }
    />
  );
}
