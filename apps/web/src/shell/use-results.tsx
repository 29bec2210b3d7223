import { searchFromState, type InterfaceLanguage } from '@belvedere/api';
import { readPhrase, type PhraseReading } from '@belvedere/query';
import type { PaletteSection } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Bookmark,
  Box,
  ChartColumn,
  Command,
  LayoutDashboard,
  Settings,
  Table,
  TableProperties,
  TextCursorInput,
} from 'lucide-react';
import { useMemo, useState } from 'react';
import { switchTheme } from '../dashboard/chart/use-theme.ts';
import { useMe } from '../data/user-preferences.ts';
import { isAllowed } from '../data/permissions.ts';
import { usePermissions } from '../data/use-permissions.ts';
import { viewAs, viewedAs } from '../data/view-as.ts';
import { client, useDashboards, useSession, useTables } from '../data/server.ts';
import { kindIcons } from '../editor/encoding/kinds.ts';
import { keysNow, type Key } from '../keys/keys.ts';
import { pressText } from '../keys/press-text.ts';
import { chooseLanguage, languages, readersLanguage, t } from '../messages/messages.ts';
import { describeReading, searchOfReading } from '../phrases/describe-reading.ts';
import { usePhraseModels } from '../phrases/use-phrase-models.ts';
import { settingsSections } from '../screens/SettingsScreen/settings-sections.ts';
import { rankSections, type RankedItem, type RankedSection } from './rank-results.ts';

type Found = Omit<RankedItem, 'id'> & { readonly act: () => void };

const iconSize = 15;

/**
 * Everything that a text finds in the workspace, the best first: charts, dashboards, tiles, fields, models,
 * tables, settings and commands.
 * @param onKeys shows the keyboard shortcuts; undefined leaves commands out
 * @param limit items of each section
 */
export function useResults(
  text: string,
  { onKeys, limit }: { readonly onKeys?: () => void; readonly limit?: number } = {},
): { readonly sections: readonly PaletteSection[]; readonly act: (id: string) => void } {
  const navigate = useNavigate();
  const { data } = useDashboards();
  const { data: tables } = useTables();
  const { data: session } = useSession();
  const isViewingAs = viewedAs !== undefined;
  const permissions = usePermissions();
  const search = text.trim();
  const { models, phraseModels } = usePhraseModels({
    isEnabled: permissions.explore,
    withValues: search.includes(' '),
  });
  const { data: tiles } = useQuery({
    queryKey: ['workspace', 'tiles', search],
    queryFn: ({ signal }) => client.findTiles({ query: { search, language: readersLanguage() } }, { signal }),
    enabled: !isViewingAs && search.length >= 2,
    placeholderData: keepPreviousData,
  });
  const calendar = session?.workspace.calendar;
  const readings = useMemo(
    () => (calendar && search.length >= 2 ? readPhrase(search, phraseModels, calendar) : []),
    [search, phraseModels, calendar],
  );
  // The keys of the page beneath, as they are when the palette opens.
  const [commands] = useState(() => (onKeys ? pageCommands() : []));
  const views = useMe()?.views ?? [];
  const dashboards = data?.dashboards ?? [];
  const toDashboard = (dashboard: string, to: Readonly<Record<string, string>> = {}) =>
    void navigate({ to: '/d/$dashboard', params: { dashboard }, search: to });

  const sections: readonly (Omit<RankedSection, 'items'> & { readonly items: readonly Found[] })[] = [
    {
      title: t.palette.dashboards,
      isAlways: true,
      items: dashboards
        .filter(one => one.origin === 'saved')
        .map(one => ({
          title: one.title,
          terms: [one.id],
          hint: one.folder,
          icon: <LayoutDashboard size={iconSize} />,
          act: () => toDashboard(one.id),
        })),
    },
    {
      title: t.phrases.title,
      items: readings.flatMap(reading => {
        const model = models.find(({ name }) => name === reading.model);
        if (!model) return [];
        const { title, detail, unknown } = describeReading(reading, model);
        const Icon = kindIcons[reading.tile.kind];
        return [
          {
            title,
            detail,
            warning: unknown,
            hint: model.label,
            rank: rankOfReading(reading, search),
            icon: <Icon size={iconSize} />,
            act: () =>
              void navigate({
                to: '/explore/$model',
                params: { model: reading.model },
                search: searchOfReading(reading),
              }),
          },
        ];
      }),
    },
    {
      title: t.views.label,
      isAlways: true,
      items: views.map(view => ({
        title: view.name,
        hint: dashboards.find(one => one.id === view.dashboard)?.title ?? view.dashboard,
        icon: <Bookmark size={iconSize} />,
        act: () => toDashboard(view.dashboard, searchFromState(view.state)),
      })),
    },
    {
      title: t.palette.overviews,
      isAlways: true,
      items: dashboards
        .filter(one => one.origin === 'overview')
        .map(one => ({
          title: one.title,
          icon: <LayoutDashboard size={iconSize} />,
          act: () => toDashboard(one.id),
        })),
    },
    {
      title: t.palette.tiles,
      items: (tiles?.tiles ?? []).map(tile => ({
        title: tile.title,
        terms: [`${tile.title} ${tile.dashboardTitle}`],
        hint: tile.dashboardTitle,
        icon: <ChartColumn size={iconSize} />,
        act: () =>
          toDashboard(tile.dashboard, {
            tile: tile.tile,
            ...(tile.page > 0 && { page: String(tile.page + 1) }),
          }),
      })),
    },
    {
      title: t.palette.fields,
      items: models.flatMap(model =>
        [...model.measures, ...model.dimensions]
          .filter(field => !field.isHidden)
          .map(field => ({
            title: field.label,
            terms: [field.name, ...(field.description ? [field.description] : [])],
            hint: model.label,
            icon: <TextCursorInput size={iconSize} />,
            act: () =>
              void navigate({
                to: '/explore/$model',
                params: { model: model.name },
                search: { find: field.label },
              }),
          })),
      ),
    },
    {
      title: t.palette.models,
      items: models.flatMap(model => [
        {
          title: model.label,
          terms: [model.name],
          hint: t.data.explore,
          icon: <Box size={iconSize} />,
          act: () => void navigate({ to: '/explore/$model', params: { model: model.name }, search: {} }),
        },
        ...(permissions.data && isAllowed(model, 'edit')
          ? [
              {
                title: t.palette.editModel(model.label),
                terms: [model.name],
                icon: <TableProperties size={iconSize} />,
                act: () => void navigate({ to: '/models/$model', params: { model: model.name } }),
              },
            ]
          : []),
      ]),
    },
    {
      title: t.palette.tables,
      isAlways: true,
      items: (permissions.data ? (tables?.tables ?? []) : []).map(table => ({
        title: table.name,
        hint: t.data.title,
        icon: <Table size={iconSize} />,
        act: () => void navigate({ to: '/data/files/$table', params: { table: table.name } }),
      })),
    },
    {
      title: t.palette.thisPage,
      isAlways: true,
      items: commands.map(({ label, press, does }) => ({
        title: label,
        hint: pressText(press),
        icon: <Command size={iconSize} />,
        act: does,
      })),
    },
    {
      title: t.palette.actions,
      isAlways: true,
      items: (onKeys
        ? [
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
            ...(permissions.create
              ? [{ title: t.palette.toTrash, act: () => void navigate({ to: '/trash' }) }]
              : []),
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
            ...(!isViewingAs
              ? (session?.people ?? []).map(person => ({
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
          ]
        : []
      ).map(command => ({ icon: <Settings size={iconSize} />, ...command })),
    },
    // After the commands, which win if both match equally: *Keyboard shortcuts* opens the list at once.
    {
      title: t.settings.title,
      items: settingsSections.map(({ id, title, words }) => ({
        title: title(),
        terms: [words()],
        hint: t.settings.title,
        icon: <Settings size={iconSize} />,
        act: () => void navigate({ to: '/settings', hash: id }),
      })),
    },
  ];
  const acts = new Map<string, () => void>();
  const known = sections.map((section, i) => ({
    ...section,
    ...(limit !== undefined && { limit }),
    items: section.items.map(({ act, ...item }, k): RankedItem => {
      const id = `${i}:${k}`;
      acts.set(id, act);
      return { id, ...item };
    }),
  }));
  return { sections: rankSections(known, text), act: id => acts.get(id)?.() };
}

/** A phrase of several words that is entirely understood is a query; a single word may be any name. */
function rankOfReading({ unknown }: PhraseReading, search: string): number {
  if (unknown.length > 0) return 45;
  return /\s|\p{Script=Han}/u.test(search) ? 95 : 70;
}

/** The shortcuts of the current page, without those of every page. */
function pageCommands(): readonly (Key & { readonly label: string; readonly does: () => void })[] {
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
