import type { z } from 'zod';
import type { Contract } from '../contract.ts';
import type { OpenDashboard } from '../endpoints/dashboards/dashboards.ts';

/**
 * The responses to the page's first requests, embedded in the page: the same as the endpoints' for the same
 * user and moment.
 */
export interface BootstrapData {
  /** The language of the texts. */
  readonly language: InterfaceLanguage;
  readonly session: z.infer<Contract['getSession']['response']>;
  readonly dashboards: z.infer<Contract['listDashboards']['response']>;
  /** Only on a dashboard's page. */
  readonly dashboard?: OpenDashboard;
}

/** The ID of the page's `script` element that contains it, as JSON. */
export const bootstrapDataId = 'given';

export const interfaceLanguages = ['en', 'de', 'zh'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** Returns the first preferred language (BCP 47) that the interface supports; English if it supports none. */
export function preferredLanguage(wished: readonly (string | null | undefined)[]): InterfaceLanguage {
  return (
    wished
      .map(language => language?.slice(0, 2) as InterfaceLanguage)
      .find(language => interfaceLanguages.includes(language)) ?? 'en'
  );
}
