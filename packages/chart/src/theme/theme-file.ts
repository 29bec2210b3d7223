import type { Look } from '@belvedere/document';
import { lab, rgb } from 'd3-color';
import { interpolateLab } from 'd3-interpolate';
import { inkOn, luminanceOf, type ChartTheme } from './theme.ts';

/** The contrast that marks and edges need with the surface, and that texts need (WCAG 2.2, 1.4.11 and 1.4.3). */
const [markContrast, textContrast] = [3, 4.5];

const themes = new WeakMap<ChartTheme, WeakMap<Look, ChartTheme>>();

/**
 * Returns a theme with custom colours. A colour with less than 3:1 contrast on the light or dark surface is
 * moved towards the text colour, in Lab space, until it has enough. Equal looks return the same object, so
 * unchanged charts are not drawn again.
 */
export function withLook(theme: ChartTheme, look: Look): ChartTheme {
  if (!look.accent && !look.series && !look.colours) return theme;
  const known = themes.get(theme) ?? new WeakMap<Look, ChartTheme>();
  themes.set(theme, known);
  const found = known.get(look) ?? themeWithLook(theme, look);
  known.set(look, found);
  return found;
}

function themeWithLook(theme: ChartTheme, look: Look): ChartTheme {
  const legible = (colour: string) => standingOut(colour, theme, markContrast);
  const accent = look.accent ? legible(look.accent) : theme.accent;
  const own = (look.series ?? (look.accent ? [look.accent] : [])).map(legible);
  // Default colours that resemble a custom one come last; the replaced one is dropped.
  const ours = theme.series
    .filter(colour => !own.includes(colour))
    .slice(look.accent && !look.series ? 1 : 0)
    .toSorted((a, b) => Number(isNearAny(a, own)) - Number(isNearAny(b, own)));
  const fixed =
    look.colours &&
    Object.fromEntries(
      Object.entries(look.colours).map(([field, values]) => [
        field,
        Object.fromEntries(Object.entries(values).map(([value, colour]) => [value, legible(colour)])),
      ]),
    );
  return {
    ...theme,
    accent,
    series: [...own, ...ours].slice(0, theme.series.length),
    ...(look.accent && {
      brush: { fill: `${accent}22`, edge: `${accent}99` },
      sequential: rampFrom(accent, theme),
      highlights: { ...theme.highlights, accent: weakOf(accent, theme) },
    }),
    ...(fixed && { fixed }),
  };
}

/** Returns the accent's CSS custom properties. */
export function accentStyles(theme: ChartTheme, look: Look): Readonly<Record<string, string>> {
  if (!look.accent) return {};
  const {
    accent,
    brush,
    highlights: { accent: weak },
  } = withLook(theme, look);
  return {
    '--accent': accent,
    '--accent-weak': weak.fill,
    '--accent-text': weak.text,
    '--on-accent': inkOn(accent),
    '--brush': brush.fill,
    '--brush-edge': brush.edge,
  };
}

/** A tint of the accent, and text on it. */
function weakOf(accent: string, theme: ChartTheme): ChartTheme['highlights']['accent'] {
  const fill = hex(interpolateLab(theme.surface, accent)(0.12));
  return { fill, text: standingOut(accent, { ...theme, surface: fill }, textContrast) };
}

/** Returns a sequential scale through a colour, from near the surface to near the text colour. */
function rampFrom(accent: string, { surface, text }: ChartTheme): string[] {
  const [low, high] = [interpolateLab(surface, accent), interpolateLab(accent, text)];
  return Array.from({ length: 9 }, (_, i) => hex(i <= 5 ? low(0.1 + 0.18 * i) : high((i - 5) * 0.13)));
}

/** Returns the colour, or the nearest one towards the text colour with enough contrast. */
function standingOut(
  colour: string,
  { surface, text }: Pick<ChartTheme, 'surface' | 'text'>,
  min: number,
): string {
  const towards = interpolateLab(colour, text);
  for (let share = 0; share < 1; share += 0.04) {
    const found = hex(towards(share));
    if (contrast(found, surface) >= min) return found;
  }
  return text;
}

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Thin lines whose colours are nearer than this in CIELAB look the same. */
const nearest = 30;

function isNearAny(colour: string, others: readonly string[]): boolean {
  const { l, a, b } = lab(colour);
  return others.some(other => {
    const that = lab(other);
    return Math.hypot(l - that.l, a - that.a, b - that.b) < nearest;
  });
}

/** d3 writes `rgb(1, 2, 3)`; everything else here is #RRGGBB. */
function hex(colour: string): string {
  return rgb(colour).formatHex().toUpperCase();
}
