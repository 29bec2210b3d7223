import { Button, SearchField } from '@belvedere/ui';
import { Folder } from 'lucide-react';
import { useState } from 'react';
import { useThemeName } from '../dashboard/chart/use-theme.ts';
import { t } from '../messages/messages.ts';
import type { SiteEntry, SiteHomeData } from './site-data.ts';
import { SiteBar } from './SiteBar.tsx';

/** The list of a site's dashboards. */
export function SiteHome({ data }: { readonly data: SiteHomeData }) {
  const [search, setSearch] = useState('');
  const [folder, setFolder] = useState<string>();
  const folders = [...new Set(data.dashboards.map(one => one.folder))].filter(name => name !== '').toSorted();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = data.dashboards.filter(one => {
    const text = `${one.title} ${one.description ?? ''} ${one.folder}`.toLowerCase();
    return words.every(word => text.includes(word)) && (folder === undefined || one.folder === folder);
  });
  return (
    <>
      <SiteBar title={data.site} />
      <main className="mx-auto max-w-[1080px] px-5 py-6 max-sm:px-3">
        <h1 className="sr-only">{data.site}</h1>
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 pb-3">
          <h2 className="text-20 font-semibold tracking-[-0.01em]">{t.home.all}</h2>
          <div className="w-56 max-sm:w-full">
            <SearchField label={t.home.search} maxLength={200} value={search} onChange={setSearch} />
          </div>
        </div>
        {folders.length > 0 ? (
          <div role="group" aria-label={t.home.folder} className="flex flex-wrap gap-1.5 pb-3">
            {[undefined, ...folders].map(name => (
              <Button
                key={name ?? ''}
                look="pill"
                aria-pressed={folder === name}
                className={folder === name ? 'border-accent! text-accent-text!' : ''}
                onPress={() => setFolder(name)}
              >
                {name === undefined ? null : <Folder size={14} aria-hidden />}
                {name ?? t.home.allFolders}
              </Button>
            ))}
          </div>
        ) : null}
        {found.length > 0 ? (
          <ul className="grid grid-cols-3 gap-4 max-lg:grid-cols-2 max-sm:grid-cols-1">
            {found.map(one => (
              <li key={one.address}>
                <Card dashboard={one} />
              </li>
            ))}
          </ul>
        ) : (
          <p role="status" className="text-text-2">
            {t.home.noMatch}
          </p>
        )}
      </main>
    </>
  );
}

function Card({ dashboard }: { readonly dashboard: SiteEntry }) {
  const theme = useThemeName();
  const { title, description, folder, address, pictures } = dashboard;
  return (
    <a
      href={address}
      className="block h-full overflow-hidden rounded-tile border border-border bg-surface hover:border-border-strong"
    >
      <img
        src={pictures[theme]}
        alt={t.home.thumbnail(title)}
        width={1152}
        height={648}
        loading="lazy"
        className="aspect-video h-auto w-full border-b border-border"
      />
      <span className="block truncate px-3 pt-2 font-medium">{title}</span>
      <span className="line-clamp-2 min-h-6 px-3 pb-2 text-12 text-text-2">
        {[folder, description].filter(Boolean).join(' · ')}
      </span>
    </a>
  );
}
