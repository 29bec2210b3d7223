import { searchFromState } from '@belvedere/api';
import { readPhrase, type PhraseReading } from '@belvedere/query';
import type { PaletteSection } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bookmark, ChartColumn, Command, LayoutDashboard, Settings, Table } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMe } from '../../data/session/user-preferences.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { viewedAs } from '../../data/session/view-as.ts';
import { client, useDashboards, useSession, useTables } from '../../data/server.ts';
import { kindIcons } from '../../editor/encoding/kinds.ts';
import { pressText } from '../../keys/press-text.ts';
import { readersLanguage, t } from '../../messages/messages.ts';
import { describeReading, searchOfReading } from '../../phrases/describe-reading.ts';
import { usePhraseModels } from '../../phrases/use-phrase-models.ts';
import { settingsSections } from '../../screens/SettingsScreen/settings-sections.ts';
import { rankSections, type RankedItem } from './rank-results.ts';
import { modelSections } from './model-results.tsx';
import { pageCommands, workspaceCommands } from './palette-commands.ts';
import { iconSize, type ResultSection } from './result-section.ts';

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

  const sections: readonly ResultSection[] = [
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
    ...modelSections(models, navigate, permissions),
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
        ? workspaceCommands({ navigate, permissions, people: session?.people ?? [], onKeys })
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
