import { secretNamed, type SignInProvider } from '@belvedere/document';
import { readSecretFile } from '../../workspace/sources/secrets.ts';
import { ProviderError } from './oidc-client.ts';

/**
 * Returns the client secret of a provider from the environment or the workspace's secrets folder; undefined
 * for a public client.
 *
 * @throws ProviderError if it cannot be read
 */
export async function clientSecret(
  { clientSecret: reference, name: provider }: SignInProvider,
  root: string,
): Promise<string | undefined> {
  if (reference === undefined) return undefined;
  const { from, name } = secretNamed(reference);
  const value =
    from === 'env'
      ? process.env[name]
      : await readSecretFile(root, name).then(
          text => text.trim(),
          () => undefined,
        );
  if (!value)
    throw new ProviderError('unavailable', `The client secret of ${provider} cannot be read: ${reference}`);
  return value;
}
