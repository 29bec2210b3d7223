import type { ProviderName } from '@belvedere/api';
import { words } from '../messages/words.ts';

/**
 * Returns why a visit to a provider failed. The address says it, which anyone can write, so only known texts
 * and providers appear.
 */
export function providerProblem(
  problem: string | undefined,
  provider: string | undefined,
  providers: readonly ProviderName[],
): string | undefined {
  if (problem === undefined) return undefined;
  const { problems } = words.provider;
  const text = Object.hasOwn(problems, problem) ? problems[problem] : problems['invalid'];
  return text?.(providers.find(({ id }) => id === provider)?.name ?? 'OpenID Connect');
}
