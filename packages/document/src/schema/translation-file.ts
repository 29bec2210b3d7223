import { z } from 'zod';
import { didYouMean } from '../completion/closest-name.ts';
import type { TileFile } from './chart-spec.ts';
import type { DashboardFile } from './dashboard.ts';
import { Label, LongText, Name } from './names.ts';

/**
 * `dashboards/NAME.LANG.yaml`: a dashboard's texts in another language. Missing texts stay in the dashboard's
 * own language.
 */
export const TranslationFile = z
  .strictObject({
    version: z.literal(1),
    title: Label.optional(),
    description: LongText.optional(),
    /** Labels by the filter's field. */
    filters: z.record(z.string(), Label).optional(),
    /** Labels by the parameter's name. */
    parameters: z.record(Name, Label).optional(),
    /** Titles of the pages, in order. */
    pages: z.array(Label).max(30).optional(),
    tiles: z
      .record(
        Name,
        z.strictObject({
          title: Label.optional(),
          subtitle: Label.optional(),
          description: LongText.optional(),
          text: LongText.optional(),
          alt: Label.optional(),
          axes: z
            .strictObject({ x: Label.optional(), y: Label.optional(), color: Label.optional() })
            .optional(),
          /** Labels of the tile's reference lines and bands, in order. */
          references: z.array(Label).max(12).optional(),
          /** Texts of the tile's annotations, in order. */
          annotations: z.array(Label).max(20).optional(),
        }),
      )
      .optional(),
  })
  .meta({ title: 'A translation of a Belvedere dashboard' });
export type TranslationFile = z.infer<typeof TranslationFile>;

/** The channels whose encodings contain texts: titles of axes and legends. */
const channels = ['x', 'y', 'color'] as const;

const texts = ['title', 'subtitle', 'description', 'text', 'alt'] as const;

/** Returns the dashboard with its texts in another language. */
export function translate(dashboard: DashboardFile, translation: TranslationFile): DashboardFile {
  return {
    ...dashboard,
    title: translation.title ?? dashboard.title,
    ...((translation.description ?? dashboard.description) !== undefined && {
      description: translation.description ?? dashboard.description,
    }),
    ...(dashboard.filters && {
      filters: dashboard.filters.map(filter => ({
        ...filter,
        ...(translation.filters?.[filter.field] !== undefined && {
          label: translation.filters[filter.field],
        }),
      })),
    }),
    ...(dashboard.parameters && {
      parameters: Object.fromEntries(
        Object.entries(dashboard.parameters).map(([name, parameter]) => [
          name,
          {
            ...parameter,
            ...(translation.parameters?.[name] !== undefined && { label: translation.parameters[name] }),
          },
        ]),
      ),
    }),
    pages: dashboard.pages.map((page, i) => ({
      title: translation.pages?.[i] ?? page.title,
      tiles: Object.fromEntries(
        Object.entries(page.tiles).map(([id, tile]) => [id, translateTile(tile, translation.tiles?.[id])]),
      ),
    })),
  };
}

function translateTile(
  tile: TileFile,
  texts: NonNullable<TranslationFile['tiles']>[string] | undefined,
): TileFile {
  if (!texts) return tile;
  const { axes, references, annotations, ...own } = texts;
  const lines = linesOf(tile);
  const titled = channels.flatMap(channel => {
    const [key, said] = titleAt(tile, channel) ?? [];
    const encoding = (tile as unknown as Record<string, Readonly<Record<string, object>>>)[channel];
    return key !== undefined && said !== undefined && axes?.[channel] !== undefined
      ? [[channel, { ...encoding, [key]: { ...encoding![key], title: axes[channel] } }] as const]
      : [];
  });
  const named =
    references && lines.length > 0
      ? {
          references: lines.map((line, i) =>
            line.label !== undefined && references[i] !== undefined
              ? { ...line, label: references[i] }
              : line,
          ),
        }
      : {};
  const noted =
    annotations && notesOf(tile).length > 0
      ? { annotations: notesOf(tile).map((note, i) => ({ ...note, text: annotations[i] ?? note.text })) }
      : {};
  return { ...tile, ...own, ...Object.fromEntries(titled), ...named, ...noted } as TileFile;
}

function linesOf(tile: TileFile): readonly { readonly label?: string | undefined }[] {
  return 'references' in tile ? (tile.references ?? []) : [];
}

function notesOf(tile: TileFile): readonly { readonly text: string }[] {
  return 'annotations' in tile ? (tile.annotations ?? []) : [];
}

/** The key that holds an encoding's title, and the title. */
function titleAt(
  tile: TileFile,
  channel: (typeof channels)[number],
): readonly ['axis' | 'legend', string] | undefined {
  const key = channel === 'color' ? 'legend' : 'axis';
  const encoding = (
    tile as unknown as Record<
      string,
      | {
          readonly axis?: { readonly title?: string } | false;
          readonly legend?: { readonly title?: string } | false;
        }
      | undefined
    >
  )[channel];
  const said = encoding?.[key];
  return said && said.title !== undefined ? [key, said.title] : undefined;
}

/** Returns the paths of texts that the dashboard has and its translation lacks: `tiles.delay.title`. */
export function untranslated(dashboard: DashboardFile, translation: TranslationFile): string[] {
  const tiles = dashboard.pages.flatMap(page => Object.entries(page.tiles));
  return [
    ...(['title', 'description'] as const).filter(
      key => dashboard[key] !== undefined && translation[key] === undefined,
    ),
    ...(dashboard.filters ?? [])
      .filter(filter => filter.label !== undefined && translation.filters?.[filter.field] === undefined)
      .map(filter => `filters.${filter.field}`),
    ...Object.entries(dashboard.parameters ?? {})
      .filter(([name, { label }]) => label !== undefined && translation.parameters?.[name] === undefined)
      .map(([name]) => `parameters.${name}`),
    ...(dashboard.pages.length > 1
      ? dashboard.pages.flatMap((_, i) => (translation.pages?.[i] === undefined ? [`pages.${i}`] : []))
      : []),
    ...tiles.flatMap(([id, tile]) =>
      channels
        .filter(
          channel =>
            titleAt(tile, channel) !== undefined && translation.tiles?.[id]?.axes?.[channel] === undefined,
        )
        .map(channel => `tiles.${id}.axes.${channel}`),
    ),
    ...tiles.flatMap(([id, tile]) =>
      linesOf(tile).flatMap(({ label }, i) =>
        label !== undefined && translation.tiles?.[id]?.references?.[i] === undefined
          ? [`tiles.${id}.references.${i}`]
          : [],
      ),
    ),
    ...tiles.flatMap(([id, tile]) =>
      notesOf(tile).flatMap((_, i) =>
        translation.tiles?.[id]?.annotations?.[i] === undefined ? [`tiles.${id}.annotations.${i}`] : [],
      ),
    ),
    ...tiles.flatMap(([id, tile]) =>
      texts
        .filter(
          key =>
            (tile as Record<string, unknown>)[key] !== undefined &&
            translation.tiles?.[id]?.[key] === undefined,
        )
        .map(key => `tiles.${id}.${key}`),
    ),
  ];
}

/** Finds texts of a translation whose target does not exist in the dashboard. */
export function strayTexts(
  dashboard: DashboardFile,
  translation: TranslationFile,
): { readonly path: readonly string[]; readonly message: string }[] {
  const tiles = new Map(dashboard.pages.flatMap(page => Object.entries(page.tiles)));
  const fields = (dashboard.filters ?? []).map(filter => filter.field);
  return [
    ...Object.keys(translation.filters ?? {})
      .filter(field => !fields.includes(field))
      .map(field => ({
        path: ['filters', field],
        message: `The dashboard has no filter \`${field}\`${didYouMean(field, fields)}`,
      })),
    ...Object.keys(translation.parameters ?? {})
      .filter(name => !Object.hasOwn(dashboard.parameters ?? {}, name))
      .map(name => ({
        path: ['parameters', name],
        message: `The dashboard has no parameter \`${name}\`${didYouMean(name, Object.keys(dashboard.parameters ?? {}))}`,
      })),
    ...Object.keys(translation.tiles ?? {})
      .filter(id => !tiles.has(id))
      .map(id => ({
        path: ['tiles', id],
        message: `The dashboard has no tile \`${id}\`${didYouMean(id, tiles.keys())}`,
      })),
    ...((translation.pages?.length ?? 0) > dashboard.pages.length
      ? [
          {
            path: ['pages'],
            message: `The dashboard has ${dashboard.pages.length} pages, but its translation has ${translation.pages!.length}.`,
          },
        ]
      : []),
  ];
}
