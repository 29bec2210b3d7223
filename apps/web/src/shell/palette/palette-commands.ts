import type { InterfaceLanguage, Session } from '@belvedere/api';
import type { useNavigate } from '@tanstack/react-router';
import { switchTheme } from '../../dashboard/chart/use-theme.ts';
import type { usePermissions } from '../../data/session/use-permissions.ts';
import { viewAs, viewedAs } from '../../data/session/view-as.ts';
import { keysNow, type Key } from '../../keys/keys.ts';
import { pressText } from '../../keys/press-text.ts';
import { chooseLanguage, languages, t } from '../../messages/messages.ts';
import { mayViewAs, openViewAs } from '../../view-as/view-as-dialog.ts';

interface PaletteCommand {
  readonly title: string;
  readonly hint?: string;
  readonly act: () => void;
}

interface CommandContext {
  readonly navigate: ReturnType<typeof useNavigate>;
  readonly permissions: ReturnType<typeof usePermissions>;
  /** Users of the policy tests as whom the caller can view the workspace. */
  readonly people: NonNullable<Session['people']>;
  /** Shows the keyboard shortcuts. */
  readonly onKeys: () => void;
}

/** Commands of every page: going to a screen, the theme, the language, viewing as another user. */
export function workspaceCommands({
  navigate,
  permissions,
  people,
  onKeys,
}: CommandContext): readonly PaletteCommand[] {
  return [
    { title: t.palette.toHome, act: () => void navigate({ to: '/' }) },
    ...(permissions.explore
      ? [{ title: t.palette.toExplore, act: () => void navigate({ to: '/explore' }) }]
      : []),
    { title: t.palette.toAlerts, act: () => void navigate({ to: '/alerts' }) },
    ...(permissions.data
      ? [
          { title: t.palette.toData, act: () => void navigate({ to: '/data' }) },
          {
            title: t.palette.toSql,
            act: () => void navigate({ to: '/sql/$source', params: { source: 'files' }, search: {} }),
          },
        ]
      : []),
    ...(permissions.create ? [{ title: t.palette.toTrash, act: () => void navigate({ to: '/trash' }) }] : []),
    { title: t.palette.toSettings, act: () => void navigate({ to: '/settings' }) },
    {
      title: t.palette.clear,
      act: () => void navigate({ to: '.', search: {}, resetScroll: false }),
    },
    { title: t.palette.theme, hint: pressText('$mod+\\'), act: switchTheme },
    { title: t.keys.title, hint: '?', act: onKeys },
    ...(permissions.administer
      ? [{ title: t.palette.api, act: () => void window.open('/api/docs', '_blank', 'noopener') }]
      : []),
    ...(mayViewAs(permissions) ? [{ title: t.viewAs.label, act: openViewAs }] : []),
    ...(viewedAs === undefined
      ? people.map(person => ({
          title: t.viewAs.person(person),
          act: () => viewAs(person),
        }))
      : [{ title: t.viewAs.back, act: () => viewAs(undefined) }]),
    ...Object.entries(languages)
      .filter(([, name]) => name !== t.language.name)
      .map(([language, name]) => ({
        title: `${t.language.title}: ${name}`,
        act: () => chooseLanguage(language as InterfaceLanguage),
      })),
  ];
}

/** The shortcuts of the current page, without those of every page. */
export function pageCommands(): readonly (Key & { readonly label: string; readonly does: () => void })[] {
  return keysNow()
    .filter(({ title }) => title !== t.keys.everywhere)
    .flatMap(({ keys }) =>
      keys.flatMap(key =>
        key.label !== undefined && key.does !== undefined
          ? [{ ...key, label: key.label, does: () => key.does!(new KeyboardEvent('keydown')) }]
          : [],
      ),
    )
    .filter(({ label }, i, all) => all.findIndex(other => other.label === label) === i);
}
