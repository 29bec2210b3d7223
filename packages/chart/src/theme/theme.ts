/**
 * The colours of a chart. Series colours differ under every form of colour blindness and have a contrast of
 * 3:1 with the surface.
 */
export interface ChartTheme {
  readonly surface: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly grid: string;
  readonly axis: string;
  /** Marks of the unfiltered result, behind those of a selection. */
  readonly unfiltered: string;
  readonly accent: string;
  /** The brushed area (#RRGGBBAA), translucent. */
  readonly brush: { readonly fill: string; readonly edge: string };
  readonly series: readonly string[];
  readonly other: string;
  /** Sequential scale, lowest value first. */
  readonly sequential: readonly string[];
  /** Diverging scale, lowest value first; the middle colour is neutral. */
  readonly diverging: readonly string[];
  /** Colours of single values by field, the same on every tile. */
  readonly fixed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly good: string;
  readonly bad: string;
  /** Colours of highlighted table cells. */
  readonly highlights: Readonly<
    Record<'good' | 'warn' | 'bad' | 'accent', { readonly fill: string; readonly text: string }>
  >;
}

export const lightTheme: ChartTheme = {
  surface: '#FFFFFF',
  text: '#171B24',
  text2: '#535C6C',
  text3: '#667080',
  grid: '#ECEEF2',
  axis: '#C9CED8',
  unfiltered: '#E4E8EF',
  accent: '#244FCA',
  brush: { fill: '#244FCA1A', edge: '#244FCA8C' },
  series: ['#244FCA', '#E2791A', '#01A889', '#AE197B', '#A779F2', '#716508', '#678EAA', '#712925'],
  other: '#9AA3B0',
  sequential: [
    '#EDF2FD',
    '#C9D9F9',
    '#A6C1F4',
    '#84A7ED',
    '#648CE4',
    '#4670DA',
    '#3157B9',
    '#224190',
    '#132C68',
  ],
  diverging: [
    '#1B48B0',
    '#4B76CD',
    '#7DA2EA',
    '#B5C9F0',
    '#EEF0F3',
    '#F1CDAB',
    '#F0A95C',
    '#CD7C37',
    '#A9500A',
  ],
  good: '#0B7A5C',
  bad: '#B3261E',
  highlights: {
    good: { fill: '#E3F3EE', text: '#0B7A5C' },
    warn: { fill: '#FBF0DD', text: '#8F5800' },
    bad: { fill: '#FBE9E7', text: '#B3261E' },
    accent: { fill: '#E9EEFB', text: '#1D42AA' },
  },
};

export const darkTheme: ChartTheme = {
  surface: '#15181E',
  text: '#E7EAF0',
  text2: '#A7B0BE',
  text3: '#828C9B',
  grid: '#22272F',
  axis: '#3A414D',
  unfiltered: '#2B313B',
  accent: '#5B7EF2',
  brush: { fill: '#7896FF29', edge: '#8CA5FFB3' },
  series: ['#5B7EF2', '#FEAC49', '#4BCAA0', '#D653A5', '#D090FE', '#8B9512', '#ADDCFD', '#A8746A'],
  other: '#6B7483',
  sequential: [
    '#182036',
    '#1E2D56',
    '#233A79',
    '#2D4A9D',
    '#4060C0',
    '#5476E5',
    '#7697F7',
    '#A2BAFC',
    '#CFDCFF',
  ],
  diverging: [
    '#8FB2FF',
    '#668AE2',
    '#3F63C4',
    '#35497B',
    '#2A2F38',
    '#6D4B35',
    '#B4651C',
    '#D9904A',
    '#FFBD74',
  ],
  good: '#4BCAA0',
  bad: '#FF8F85',
  highlights: {
    good: { fill: '#14302A', text: '#4BCAA0' },
    warn: { fill: '#33270F', text: '#F0B252' },
    bad: { fill: '#3A1D1B', text: '#FF8F85' },
    accent: { fill: '#1B2544', text: '#9DB4FB' },
  },
};

/** Returns the colour of a series by its position on the colour axis. Other is grey, and no hue is used twice. */
export function seriesColour(theme: ChartTheme, position: number, isOther: boolean): string {
  return isOther || position < 0 || position >= theme.series.length ? theme.other : theme.series[position]!;
}

/**
 * Returns black or white, whichever has more contrast with a fill (#RRGGBB): at least 4.5:1 (WCAG 2.2,
 * contrast).
 */
export function inkOn(fill: string): string {
  return luminanceOf(fill) > 0.179 ? '#000000' : '#FFFFFF';
}

/** Returns the relative luminance of a colour (#RRGGBB), 0 to 1 (WCAG 2.2). */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(i => {
    const channel = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
