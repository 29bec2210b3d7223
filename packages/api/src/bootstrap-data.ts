import type { z } from 'zod';
import type { Contract } from './contract.ts';
import type { OpenDashboard } from './dashboards.ts';

/** What a page would ask for first, given with it: as the endpoints answer it to the same reader at the same moment. */
export interface BootstrapData {
  /** In which the texts are. */
  readonly language: InterfaceLanguage;
  readonly session: z.infer<Contract['getSession']['answer']>;
  readonly dashboards: z.infer<Contract['listDashboards']['answer']>;
  /** Where the page is a dashboard's. */
  readonly dashboard?: OpenDashboard;
}

/** The `script` in the page that it stands in, as JSON. */
export const bootstrapDataId = 'given';

export const interfaceLanguages = ['en', 'de', 'zh'] as const;
export type InterfaceLanguage = (typeof interfaceLanguages)[number];

/** The first of the languages somebody wishes for (BCP 47) that the interface speaks; English where it speaks none of them. */
export function preferredLanguage(wished: readonly (string | null | undefined)[]): InterfaceLanguage {
  return (
    wished
      .map(language => language?.slice(0, 2) as InterfaceLanguage)
      .find(language => interfaceLanguages.includes(language)) ?? 'en'
  );
}
