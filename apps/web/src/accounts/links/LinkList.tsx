import type { PublicLink } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { LifeSelect } from './LifeSelect.tsx';
import { agoText, dayText, momentText } from '../times.ts';
import { useChange } from '../use-change.ts';

interface LinkListProps {
  readonly links: readonly PublicLink[];
  readonly revoke: (link: string) => Promise<unknown>;
  readonly setLife: (link: string, days: number) => Promise<unknown>;
  /** Shown in place of an empty list. */
  readonly empty: string | undefined;
  /** Names the dashboards, and who created the links. */
  readonly isOfAll?: boolean;
}

/** Public links with their state, and the ways to change their expiry and to end them. */
export function LinkList({ links, revoke, setLife, empty, isOfAll = false }: LinkListProps) {
  const [doubted, setDoubted] = useState<string>();
  const [extended, setExtended] = useState<string>();
  const [days, setDays] = useState(30);
  const { change, isBusy, problem } = useChange();
  if (links.length === 0) return empty === undefined ? null : <p className="py-2 text-text-2">{empty}</p>;
  return (
    <>
      <FormProblem problem={problem} />
      <ul className="my-2 rounded-tile border border-border bg-surface">
        {links.map(link => (
          <li
            key={link.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
          >
            <LinkFacts link={link} isOfAll={isOfAll} />
            {doubted === link.id ? (
              <span className="flex flex-wrap items-center gap-2 max-sm:w-full">
                <span className="text-12 text-text-2">{words.links.revokeHint}</span>
                <Button onPress={() => setDoubted(undefined)}>{words.cancel}</Button>
                <Button
                  look="primary"
                  isDisabled={isBusy}
                  onPress={() => void change(() => revoke(link.id)).then(() => setDoubted(undefined))}
                >
                  {words.links.revoke}
                </Button>
              </span>
            ) : extended === link.id ? (
              <span className="flex flex-wrap items-end gap-2 max-sm:w-full">
                <span className="w-44">
                  <LifeSelect label={words.links.lifeFromNow} days={days} onDays={setDays} />
                </span>
                <Button onPress={() => setExtended(undefined)}>{words.cancel}</Button>
                <Button
                  look="primary"
                  isDisabled={isBusy}
                  onPress={() => void change(() => setLife(link.id, days)).then(() => setExtended(undefined))}
                >
                  {words.save}
                </Button>
              </span>
            ) : (
              <span className="flex items-center gap-1 max-sm:w-full">
                <Button
                  look="quiet"
                  aria-label={words.links.changeLifeOf(link.name)}
                  onPress={() => setExtended(link.id)}
                >
                  {words.links.changeLife}
                </Button>
                <Button
                  look="quiet"
                  aria-label={words.links.revokeOf(link.name)}
                  onPress={() => setDoubted(link.id)}
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

function LinkFacts({ link, isOfAll }: { readonly link: PublicLink; readonly isOfAll: boolean }) {
  const { name, dashboard, createdBy, expiresAt, state, opens, maxOpens, openedAt } = link;
  const facts = [
    ...(isOfAll ? [dashboard.title, createdBy] : []),
    maxOpens === undefined ? words.links.opens(opens) : words.links.opensOf(opens, maxOpens),
    ...(link.pages ? [link.pages.join(', ')] : []),
    ...(link.hasPassphrase ? [words.links.withPassphrase] : []),
    ...(link.downloads ? [words.links.withDownloads] : []),
  ];
  return (
    <span className="min-w-0 grow basis-72">
      <span className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 truncate font-medium">{name}</span>
        {state === 'active' ? null : <StateChip tone="warn">{words.links.states[state]}</StateChip>}
      </span>
      <span className="block text-12 wrap-anywhere text-text-2">
        {facts.filter(Boolean).join(' · ')}
        {' · '}
        <span title={momentText(expiresAt)}>{words.links.until(dayText(expiresAt))}</span>
        {openedAt === undefined ? null : (
          <span title={momentText(openedAt)}>
            {' · '}
            {words.links.openedAt(agoText(openedAt))}
          </span>
        )}
      </span>
    </span>
  );
}
