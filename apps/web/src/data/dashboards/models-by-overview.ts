import type { DashboardSummary, ModelSummary } from '@belvedere/api';

/**
 * Returns models in the order of their overviews on Home: facts before look-up tables. Models without an
 * overview were written by hand and come first.
 */
export function modelsByOverview<Model extends Pick<ModelSummary, 'name'>>(
  models: readonly Model[],
  dashboards: readonly Pick<DashboardSummary, 'origin' | 'models'>[],
): readonly Model[] {
  const ranked = dashboards.filter(({ origin }) => origin === 'overview').map(({ models: [name] }) => name);
  return models.toSorted((a, b) => ranked.indexOf(a.name) - ranked.indexOf(b.name));
}
