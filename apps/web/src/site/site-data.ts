import type { Box } from '@belvedere/query';
import type { OfflineData } from '../offline/offline-data.ts';

/** The data of a page of a static site. Addresses are relative to the page, or absolute paths. */
export type SitePageData = SiteHomeData | SiteDashboardData;

export interface SiteHomeData {
  readonly kind: 'home';
  /** The title of the site. */
  readonly site: string;
  readonly locale: string;
  readonly dashboards: readonly SiteEntry[];
}

/** A dashboard on the site's Home. */
export interface SiteEntry {
  readonly title: string;
  readonly description?: string;
  /** Empty for a dashboard in none. */
  readonly folder: string;
  readonly address: string;
  readonly pictures: { readonly light: string; readonly dark: string };
}

export interface SiteDashboardData {
  readonly kind: 'dashboard';
  readonly site: string;
  readonly locale: string;
  /** The address of Home. */
  readonly root: string;
  /** The address of the dashboard's data. */
  readonly dashboard: string;
}

/**
 * A dashboard's data. Results, indexes and comparisons are compressed files beside it, fetched when they are
 * needed.
 */
export interface SiteDashboard extends Pick<OfflineData, 'dashboard' | 'about' | 'images' | 'maps'> {
  /** The results of each page. */
  readonly results: readonly string[];
  /** Tiles that can be brushed, with the fields that a selection can name. */
  readonly indexes: Readonly<Record<string, { readonly file: string; readonly fields: readonly string[] }>>;
  readonly comparisons: Readonly<Record<string, string>>;
  /** The filters that can be changed, alone and together, by `filtersKey`: the files of each page. */
  readonly filters: Readonly<Record<string, readonly SiteFilterFiles[]>>;
  /** For each page, the filters that can be set in any combination; null if there are too many of them. */
  readonly combinations: readonly (SiteCombinations | null)[];
}

interface SiteFilterFiles {
  readonly index: string;
  readonly cleared?: string;
  readonly comparisons?: string;
}

interface SiteCombinations extends SiteFilterFiles {
  readonly fields: readonly string[];
  readonly defaults: Box;
  /** The tiles that can be selected beside filters. */
  readonly selections: Readonly<Record<string, SiteFilterFiles & { readonly fields: readonly string[] }>>;
}
