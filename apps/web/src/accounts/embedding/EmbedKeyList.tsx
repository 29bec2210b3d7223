import type { EmbedKey } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { agoText, dayText, momentText } from '../times.ts';
import { useChange } from '../use-change.ts';
import type { KeyWithSecret } from './NewEmbedKey.tsx';

interface EmbedKeyListProps {
  /** The newest first. */
  readonly keys: readonly EmbedKey[];
  readonly onCreated: (created: KeyWithSecret) => void;
}

/** The keys for embedding, and the ways to rotate and revoke them. */
export function EmbedKeyList({ keys, onCreated }: EmbedKeyListProps) {
  const [doubted, setDoubted] = useState<string>();
  const { change, isBusy, problem } = useChange();
  if (keys.length === 0) return <p className="py-2 text-text-2">{words.embedding.empty}</p>;
  const newestOf = (name: string) => keys.find(key => key.name === name)!.id;
  const isTwice = (name: string) => keys.filter(key => key.name === name).length > 1;
  return (
    <>
      <FormProblem problem={problem} />
      <ul className="my-2 rounded-tile border border-border bg-surface">
        {keys.map(key => (
          <li
            key={key.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
          >
            <KeyFacts shown={key} isOlder={newestOf(key.name) !== key.id} />
            {doubted === key.id ? (
              <span className="flex flex-wrap items-center gap-2">
                <span className="text-12 text-text-2">{words.embedding.revokeHint}</span>
                <Button onPress={() => setDoubted(undefined)}>{words.cancel}</Button>
                <Button
                  look="primary"
                  isDisabled={isBusy}
                  onPress={() =>
                    void change(() => client.revokeEmbedKey({ params: { key: key.id } })).then(() =>
                      setDoubted(undefined),
                    )
                  }
                >
                  {words.links.revoke}
                </Button>
              </span>
            ) : (
              <span className="flex flex-wrap">
                {isTwice(key.name) || key.state !== 'active' ? null : (
                  <Button
                    look="quiet"
                    isDisabled={isBusy}
                    aria-label={words.embedding.rotateOf(key.name)}
                    onPress={() =>
                      void change(async () =>
                        onCreated(await client.rotateEmbedKey({ params: { key: key.id } })),
                      )
                    }
                  >
                    {words.embedding.rotate}
                  </Button>
                )}
                <Button
                  look="quiet"
                  aria-label={words.embedding.revokeOf(key.name, dayText(key.createdAt))}
                  onPress={() => setDoubted(key.id)}
                >
                  {words.links.revoke}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function KeyFacts({ shown, isOlder }: { readonly shown: EmbedKey; readonly isOlder: boolean }) {
  const { id, name, origins, dashboards, createdBy, createdAt, usedAt, state } = shown;
  return (
    <span className="min-w-0 grow basis-72">
      <span className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 truncate font-medium">{name}</span>
        {isOlder ? <StateChip tone="warn">{words.embedding.older}</StateChip> : null}
        {state === 'active' ? null : <StateChip tone="warn">{words.links.off}</StateChip>}
      </span>
      <span className="block text-12 wrap-anywhere text-text-2">
        {[
          origins.join(', '),
          dashboards?.map(({ title }) => title).join(', ') ?? words.embedding.everyDashboard,
          createdBy,
        ]
          .filter(Boolean)
          .join(' · ')}
        {' · '}
        <span title={momentText(createdAt)}>{words.embedding.createdAt(dayText(createdAt))}</span>
        {' · '}
        {usedAt === undefined ? (
          words.embedding.unused
        ) : (
          <span title={momentText(usedAt)}>{words.embedding.usedAt(agoText(usedAt))}</span>
        )}
      </span>
      <span className="block font-mono text-12 wrap-anywhere text-text-2">{id}</span>
    </span>
  );
}
