import { Button } from '@belvedere/ui';
import type { ReactNode } from 'react';
import { t } from '../../../messages/messages.ts';
import type { HomeFilter } from './home-filters.ts';

interface ShownDashboardsProps {
  /** The filters that keep some dashboards but not all, with how many. */
  readonly filters: readonly (readonly [HomeFilter, number])[];
  readonly filter: HomeFilter | undefined;
  readonly onFilter: (filter: HomeFilter | undefined) => void;
  readonly tags: readonly (readonly [string, number])[];
  readonly tag: string | undefined;
  readonly onTag: (tag: string | undefined) => void;
}

/** Which of the dashboards Home lists: those of a filter, and those with a tag. */
export function ShownDashboards({ filters, filter, onFilter, tags, tag, onTag }: ShownDashboardsProps) {
  return (
    <>
      {filters.length > 0 ? (
        <div role="group" aria-label={t.home.show} className="flex flex-wrap gap-1.5 pb-2">
          <ToggleChip isChosen={filter === undefined} onPress={() => onFilter(undefined)}>
            {t.home.showEverything}
          </ToggleChip>
          {filters.map(([name, count]) => (
            <ToggleChip
              key={name}
              isChosen={filter === name}
              count={count}
              onPress={() => onFilter(filter === name ? undefined : name)}
            >
              {t.home.filters[name]}
            </ToggleChip>
          ))}
        </div>
      ) : null}
      {tags.length > 0 ? (
        <div role="group" aria-label={t.home.tags} className="flex flex-wrap gap-1.5 pb-2">
          {tags.map(([name, count]) => (
            <ToggleChip
              key={name}
              isChosen={tag === name}
              count={count}
              onPress={() => onTag(tag === name ? undefined : name)}
            >
              <span className="text-text-3">#</span>
              {name}
            </ToggleChip>
          ))}
        </div>
      ) : null}
    </>
  );
}

/** One of several filters, of which one is on, such as a folder. */
export function ToggleChip({
  isChosen,
  count,
  onPress,
  children,
}: {
  readonly isChosen: boolean;
  /** How many dashboards it keeps. */
  readonly count?: number;
  readonly onPress: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Button
      look="pill"
      aria-pressed={isChosen}
      className={isChosen ? 'border-accent! text-accent-text!' : ''}
      onPress={onPress}
    >
      {children}
      {count === undefined ? null : <span className="tabular text-text-3">{count}</span>}
    </Button>
  );
}
