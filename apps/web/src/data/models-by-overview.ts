import type { DashboardSummary, ModelSummary } from '@belvedere/api';

/**
 * Returns models in the order in which Home lists their overviews: those of facts come before look-up tables.
 * Models without an overview come first, since somebody wrote them.
 */
export function modelsByOverview<Model extends Pick<ModelSummary, 'name'>>(
  models: readonly Model[],
  dashboards: readonly Pick<DashboardSummary, 'origin' | 'models'>[],
): readonly Model[] {
  const ranked = dashboards.filter(({ origin }) => origin === 'overview').map(({ models: [name] }) => name);
  return models.toSorted((a, b) => ranked.indexOf(a.name) - ranked.indexOf(b.name));
}
