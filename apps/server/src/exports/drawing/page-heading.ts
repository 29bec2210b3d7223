import type { Mark } from '@belvedere/chart';
import type { DashboardContext } from '../../queries/dashboard-query-context.ts';
import { aboutLines } from '../about-lines.ts';
import type { PageTheme } from './page-theme.ts';

export interface PageHeading {
  readonly marks: readonly Mark[];
  readonly height: number;
}

/** Draws the dashboard's title, filters, time zone and data time above the tiles of its current page. */
export async function drawHeading(context: DashboardContext, look: PageTheme): Promise<PageHeading> {
  const { title, pages } = context.dashboard;
  const page = pages[Math.min(context.state.page, pages.length - 1)]!;
  const pageTitle = pages.length > 1 ? page.title : undefined;
  const about = await aboutLines(context, title, look.locale);
  // The title is drawn separately, and a page needs no creation time.
  const aboutText = about
    .slice(2, -1)
    .map(([name, value]) => `${name}: ${value}`)
    .join('   ·   ');
  return {
    marks: [
      {
        kind: 'text',
        x: 0,
        y: 20,
        text: title + (pageTitle ? ` › ${pageTitle}` : ''),
        fill: look.theme.text,
        align: 'left',
        size: 20,
        weight: 600,
      },
      {
        kind: 'text',
        x: 0,
        y: 40,
        text: aboutText.length > 180 ? `${aboutText.slice(0, 179)}…` : aboutText,
        fill: look.theme.text2,
        align: 'left',
        size: 12,
      },
    ],
    height: 56,
  };
}
