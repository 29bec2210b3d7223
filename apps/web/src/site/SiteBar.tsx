import { Button } from '@belvedere/ui';
import { SunMoon } from 'lucide-react';
import { switchTheme } from '../dashboard/chart/use-theme.ts';
import { t } from '../messages/messages.ts';

interface SiteBarProps {
  readonly title: string;
  /** The address of Home; none on Home itself. */
  readonly home?: string;
}

/** The top of each page of a site: the way to Home, and the theme. */
export function SiteBar({ title, home }: SiteBarProps) {
  return (
    <header className="flex h-12 items-center gap-3 border-b border-border bg-surface px-5 max-sm:px-3">
      {home === undefined ? (
        <span className="truncate text-14 font-semibold">{title}</span>
      ) : (
        <a href={home} className="truncate text-14 font-semibold hover:underline">
          {title}
        </a>
      )}
      <span className="ms-auto">
        <Button look="quiet" aria-label={t.header.theme} onPress={switchTheme}>
          <SunMoon size={16} aria-hidden />
        </Button>
      </span>
    </header>
  );
}
