import type { ChannelTarget } from '@belvedere/api';
import { newToken } from '../auth/secrets/token-hash.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { ChannelRecord } from '../state/messages/channels.ts';
import type { ChannelSecrets } from './channel-secrets.ts';
import { refusedTarget } from './safe-request.ts';

/** Where PagerDuty takes events, unless the account is in another of its regions. */
const pagerdutyUrl = 'https://events.pagerduty.com/v2/enqueue';

interface CheckedChannel {
  readonly target: ChannelRecord['target'];
  readonly secrets: ChannelSecrets;
  /** The signing secret, if a new one was created. */
  readonly created?: string;
}

/**
 * Checks the addresses of a channel by mail.
 * @param refusedAddress why an address may not get mail
 * @throws ProblemError `request-invalid`
 */
export function checkMailChannel(
  target: ChannelTarget & { readonly kind: 'mail' },
  refusedAddress: (address: string) => string | undefined,
): CheckedChannel {
  const addresses = [...new Set(target.addresses.map(address => address.toLowerCase()))];
  const reason = addresses.map(refusedAddress).find(Boolean);
  if (reason !== undefined) throw invalidChannel('target.addresses', reason, 'is not allowed');
  return { target: { kind: 'mail', addresses }, secrets: { addresses } };
}

/**
 * Checks the address and the keys of a webhook, and creates a signing secret if it has none.
 * @param known its secrets so far, which stay unless others are given
 * @param allowed `host:port` of webhooks that may be private
 * @throws ProblemError `request-invalid`
 */
export function checkWebhook(
  { template, url: givenUrl, routingKey: givenKey }: ChannelTarget & { readonly kind: 'webhook' },
  known: ChannelSecrets,
  allowed: ReadonlySet<string>,
): CheckedChannel {
  const url = givenUrl ?? known.url ?? (template === 'pagerduty' ? pagerdutyUrl : undefined);
  if (url === undefined) throw invalidChannel('target.url', 'The address is missing.', 'is missing');
  const refused = refusedTarget(url, allowed);
  if (refused !== undefined) throw invalidChannel('target.url', refused, 'is not allowed');
  const target = { kind: 'webhook' as const, template, host: new URL(url).host };
  if (template === 'pagerduty') {
    const routingKey = givenKey ?? known.routingKey;
    if (routingKey === undefined)
      throw invalidChannel('target.routingKey', 'The integration key is missing.', 'is missing');
    return { target, secrets: { url, routingKey } };
  }
  if (template !== 'generic') return { target, secrets: { url } };
  const created = known.signing === undefined ? newToken() : undefined;
  const secrets = {
    url,
    signing: known.signing ?? created!,
    ...(known.earlier && { earlier: known.earlier }),
  };
  return { target, secrets, ...(created !== undefined && { created }) };
}

/** An error of one property of a channel. */
export function invalidChannel(path: string, detail: string, message: string): ProblemError {
  return new ProblemError('request-invalid', detail, { errors: [{ path, message }] });
}
