import { searchFromState, type InterfaceLanguage } from '@belvedere/api';
import { Palette } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { switchTheme } from '../dashboard/chart/use-theme.ts';
import { useMe } from '../data/user-preferences.ts';
import { viewAs, viewedAs } from '../data/view-as.ts';
import { useDashboards, useSession, useTables } from '../data/server.ts';
import { chooseLanguage, languages, t } from '../messages/messages.ts';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  /** What was typed before it was there. */
  readonly begun: string;
  /** It was entered then, too. */
  readonly isEntered: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onKeys: () => void;
}

export function CommandPalette({ isOpen, begun, isEntered, onOpenChange, onKeys }: CommandPaletteProps) {
  const navigate = useNavigate();
  const { data } = useDashboards();
  const { data: tables } = useTables();
  const { data: session } = useSession();
  const views = useMe()?.views ?? [];
  const dashboards = data?.dashboards ?? [];
  const act = (id: string) => {
    const [kind, name = ''] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)];
    if (kind === 'dashboard') void navigate({ to: '/d/$dashboard', params: { dashboard: name }, search: {} });
    else if (kind === 'view')
      void navigate({
        to: '/d/$dashboard',
        params: { dashboard: views[Number(name)]!.dashboard },
        search: searchFromState(views[Number(name)]!.state),
      });
    else if (kind === 'table') void navigate({ to: '/data/files/$table', params: { table: name } });
    else if (name === 'home') void navigate({ to: '/' });
    else if (name === 'data') void navigate({ to: '/data' });
    else if (name === 'theme') switchTheme();
    else if (name === 'keys') onKeys();
    else if (name === 'api') window.open('/api/docs', '_blank', 'noopener');
    else if (kind === 'as') viewAs(name === '' ? undefined : name);
    else if (kind === 'language') chooseLanguage(name as InterfaceLanguage);
    else if (name === 'clear') void navigate({ to: '.', search: {}, resetScroll: false });
  };
  return (
    <Palette
      label={t.palette.label}
      placeholder={t.palette.placeholder}
      empty={t.palette.empty}
      isOpen={isOpen}
      begun={begun}
      isEntered={isEntered}
      onOpenChange={onOpenChange}
      onAction={act}
      sections={[
        {
          title: t.palette.dashboards,
          items: dashboards
            .filter(one => one.origin === 'saved')
            .map(one => ({ id: `dashboard:${one.id}`, title: one.title, hint: one.folder })),
        },
        {
          title: t.views.label,
          items: views.map((view, i) => ({
            id: `view:${i}`,
            title: view.name,
            hint: dashboards.find(one => one.id === view.dashboard)?.title ?? view.dashboard,
          })),
        },
        {
          title: t.palette.overviews,
          items: dashboards
            .filter(one => one.origin === 'overview')
            .map(one => ({ id: `dashboard:${one.id}`, title: one.title })),
        },
        {
          title: t.palette.tables,
          items: (tables?.tables ?? []).map(table => ({
            id: `table:${table.name}`,
            title: table.name,
            hint: t.data.title,
          })),
        },
        {
          title: t.palette.actions,
          items: [
            { id: 'do:home', title: t.palette.toHome },
            ...(viewedAs === undefined ? [{ id: 'do:data', title: t.palette.toData }] : []),
            { id: 'do:clear', title: t.palette.clear },
            {
              id: 'do:theme',
              title: t.palette.theme,
              hint: navigator.platform.startsWith('Mac') ? '⌘\\' : `${t.keys.signs.control} \\`,
            },
            { id: 'do:keys', title: t.keys.title, hint: '?' },
            { id: 'do:api', title: t.palette.api },
            ...(viewedAs === undefined
              ? (session?.people ?? []).map(person => ({
                  id: `as:${person}`,
                  title: t.viewAs.person(person),
                }))
              : [{ id: 'as:', title: t.viewAs.back }]),
            ...Object.entries(languages)
              .filter(([, name]) => name !== t.language.name)
              .map(([language, name]) => ({
                id: `language:${language}`,
                title: `${t.language.title}: ${name}`,
              })),
          ],
        },
      ]}
    />
  );
}
