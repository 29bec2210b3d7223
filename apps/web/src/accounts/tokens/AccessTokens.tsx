import type { AccessToken } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { useTokens } from '../account-data.ts';
import { QueryState } from '../QueryState.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { NewToken } from './NewToken.tsx';
import { agoText, dayText, momentText } from '../times.ts';
import { useChange } from '../use-change.ts';

interface AccessTokensProps {
  /** Whose tokens; one's own if undefined. */
  readonly userId?: string | undefined;
  /** Whether one may create tokens for this user. */
  readonly mayCreate: boolean;
}

/** The access tokens of a user or a service account: listed, created and revoked in place. */
export function AccessTokens({ userId, mayCreate }: AccessTokensProps) {
  const { data, error, isPending, refetch } = useTokens(userId);
  const [isCreating, setIsCreating] = useState(false);
  const [doubted, setDoubted] = useState<string>();
  const { change, isBusy, problem } = useChange();
  const tokens = data?.tokens ?? [];
  const revoke = (token: string) =>
    change(() =>
      userId === undefined
        ? client.revokeOwnToken({ params: { token } })
        : client.revokeToken({ params: { user: userId, token } }),
    );
  return (
    <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
      <FormProblem problem={problem} />
      {tokens.length === 0 ? (
        <p className="text-text-2">{words.tokens.empty}</p>
      ) : (
        <ul className="rounded-tile border border-border bg-surface">
          {tokens.map(token => (
            <li
              key={token.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
            >
              <TokenFacts token={token} />
              {doubted === token.id ? (
                <span className="flex flex-wrap items-center gap-2">
                  <span className="text-12 text-text-2">{words.tokens.revokeHint}</span>
                  <Button onPress={() => setDoubted(undefined)}>{words.cancel}</Button>
                  <Button look="primary" isDisabled={isBusy} onPress={() => void revoke(token.id)}>
                    {words.tokens.revoke}
                  </Button>
                </span>
              ) : (
                <Button
                  aria-label={words.tokens.revokeOf(token.name)}
                  isDisabled={isBusy}
                  onPress={() => setDoubted(token.id)}
                >
                  {words.tokens.revoke}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isCreating ? (
        <NewToken
          userId={userId}
          taken={tokens.map(({ name }) => name)}
          onClose={() => setIsCreating(false)}
        />
      ) : mayCreate ? (
        <Button className="mt-3" onPress={() => setIsCreating(true)}>
          <Plus size={15} aria-hidden />
          {words.tokens.create}
        </Button>
      ) : null}
    </QueryState>
  );
}

function TokenFacts({
  token: { name, scope, expiresAt, isExpired, usedAt, client: receiver },
}: {
  readonly token: AccessToken;
}) {
  return (
    <span className="min-w-40 flex-1">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium" title={name}>
          {name}
        </span>
        {isExpired ? <StateChip tone="warn">{words.tokens.expired}</StateChip> : null}
      </span>
      <span className="block text-12 text-text-2">
        {receiver === undefined
          ? ''
          : `${receiver === 'localhost' ? words.tokens.localAssistant : words.tokens.assistantOf(receiver)} · `}
        {words.tokens.scopes[scope]}
        {' · '}
        <span title={momentText(expiresAt)}>{words.tokens.until(dayText(expiresAt))}</span>
        {' · '}
        {usedAt === undefined ? (
          words.tokens.neverUsed
        ) : (
          <span title={momentText(usedAt)}>{words.tokens.usedAt(agoText(usedAt))}</span>
        )}
      </span>
    </span>
  );
}
