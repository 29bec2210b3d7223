import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { words } from '../../accounts/messages/words.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';

interface SettingsPageProps {
  readonly title: string;
  readonly hint: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

const asTabs =
  'max-lg:-mt-4 max-lg:mb-5 max-lg:overflow-x-auto max-lg:border-b max-lg:border-border max-lg:[scrollbar-width:none]';
const asList = 'lg:sticky lg:top-16 lg:w-40 lg:shrink-0 lg:flex-col lg:self-start';
const page =
  'flex h-9 shrink-0 items-center text-13 font-medium pointer-coarse:h-11 max-lg:border-b-2 lg:rounded-control lg:px-2';
const active = { className: 'max-lg:border-accent max-lg:text-text lg:bg-accent-weak lg:text-accent-text' };
const inactive = { className: 'text-text-2 hover:text-text max-lg:border-transparent lg:hover:bg-hover' };

/** One page of the settings, with the way to the others: a list beside it, in narrow windows tabs above. */
export function SettingsPage({ title, hint, actions, isWide = false, children }: SettingsPageProps) {
  const shown = useShownPages();
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector('[aria-current=page]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <div
      className={`mx-auto pt-6 lg:flex lg:max-w-[1280px] lg:gap-10 ${isWide ? 'max-w-[1080px]' : 'max-w-[720px]'}`}
    >
      <HeaderTitle title={title}>
        <span className="truncate text-14 font-semibold">{t.settings.title}</span>
      </HeaderTitle>
      {shown.flat().length > 1 ? (
        <nav ref={list} aria-label={words.settings.pages} className={`flex gap-4 ${asTabs} ${asList}`}>
          {shown.map(group => (
            <div key={group[0]!.to} className="flex shrink-0 gap-4 lg:flex-col lg:gap-0.5">
              {group.map(({ to, label }) => (
                <Link
                  key={to}
                  to={to}
                  className={page}
                  activeProps={active}
                  inactiveProps={inactive}
                  activeOptions={{ exact: true }}
                >
                  {label}
                </Link>
              ))}
            </div>
          ))}
        </nav>
      ) : null}
      <div className={`min-w-0 flex-1 ${isWide ? '' : 'max-w-[720px]'}`}>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h1 className="text-20 font-semibold tracking-[-0.01em]">{title}</h1>
            <p className="text-text-2">{hint}</p>
          </div>
          {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
        </div>
        {children}
      </div>
    </div>
  );
}

/** The pages that this user may open, by subject: themselves, users, ways out, the server. */
function useShownPages() {
  const { team, administer } = usePermissions();
  const { settings } = words;
  const pages = [
    [
      { to: '/settings', label: settings.general, isShown: true },
      { to: '/settings/profile', label: settings.profile, isShown: team },
      { to: '/settings/subscriptions', label: settings.subscriptions, isShown: team },
    ],
    [
      { to: '/settings/people', label: settings.people, isShown: team && administer },
      { to: '/settings/groups', label: settings.groups, isShown: team && administer },
      { to: '/settings/permissions', label: settings.permissions, isShown: team && administer },
      { to: '/settings/sign-in', label: settings.signIn, isShown: team && administer },
    ],
    [
      { to: '/settings/links', label: settings.links, isShown: team && administer },
      { to: '/settings/embedding', label: settings.embedding, isShown: team && administer },
      { to: '/settings/channels', label: settings.channels, isShown: administer },
      { to: '/settings/mail', label: settings.mail, isShown: administer },
    ],
    [
      { to: '/settings/audit', label: settings.audit, isShown: team && administer },
      { to: '/settings/jobs', label: settings.jobs, isShown: administer },
      { to: '/settings/system', label: settings.system, isShown: administer },
    ],
  ] as const;
  return pages.map(group => group.filter(({ isShown }) => isShown)).filter(group => group.length > 0);
}

/** A part of a settings page. */
export function SettingsSection({
  id,
  title,
  hint,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-label={title}
      className="scroll-mt-16 border-t border-border py-5 first-of-type:mt-5"
    >
      <h2 className="text-15 font-semibold">{title}</h2>
      <p className="pb-3 text-12 text-text-2">{hint}</p>
      {children}
    </section>
  );
}
