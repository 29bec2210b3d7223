import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { words } from '../../accounts/messages/words.ts';
import { usePermissions } from '../../data/use-permissions.ts';
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

const tab = 'flex h-9 shrink-0 items-center border-b-2 text-13 font-medium pointer-coarse:h-11';
const active = { className: 'border-accent text-text' };
const inactive = { className: 'border-transparent text-text-2 hover:text-text' };

/** One page of the settings, with the way to the others. */
export function SettingsPage({ title, hint, actions, isWide = false, children }: SettingsPageProps) {
  const { team, administer } = usePermissions();
  const pages = [
    { to: '/settings', label: words.settings.general, isShown: true },
    { to: '/settings/profile', label: words.settings.profile, isShown: team },
    { to: '/settings/subscriptions', label: words.settings.subscriptions, isShown: team },
    { to: '/settings/people', label: words.settings.people, isShown: team && administer },
    { to: '/settings/groups', label: words.settings.groups, isShown: team && administer },
    { to: '/settings/permissions', label: words.settings.permissions, isShown: team && administer },
    { to: '/settings/links', label: words.settings.links, isShown: team && administer },
    { to: '/settings/embedding', label: words.settings.embedding, isShown: team && administer },
    { to: '/settings/channels', label: words.settings.channels, isShown: administer },
    { to: '/settings/audit', label: words.settings.audit, isShown: team && administer },
    { to: '/settings/jobs', label: words.settings.jobs, isShown: administer },
    { to: '/settings/system', label: words.settings.system, isShown: administer },
  ] as const;
  const shown = pages.filter(({ isShown }) => isShown);
  return (
    <div className={`mx-auto pt-6 ${isWide ? 'max-w-[1080px]' : 'max-w-[720px]'}`}>
      <HeaderTitle title={title}>
        <span className="truncate text-14 font-semibold">{t.settings.title}</span>
      </HeaderTitle>
      {shown.length > 1 ? (
        <nav
          aria-label={words.settings.pages}
          className="-mt-4 mb-5 flex gap-4 overflow-x-auto border-b border-border"
        >
          {shown.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={tab}
              activeProps={active}
              inactiveProps={inactive}
              activeOptions={{ exact: true }}
            >
              {label}
            </Link>
          ))}
        </nav>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-20 font-semibold tracking-[-0.01em]">{title}</h1>
          <p className="text-text-2">{hint}</p>
        </div>
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
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
