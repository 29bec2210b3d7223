import { formatNumber, formatValue } from '@belvedere/chart';
import { maxSearchLength } from '@belvedere/document';
import type { FieldFilter, Value } from '@belvedere/query';
import { Button, Checkbox, SearchField } from '@belvedere/ui';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { locale, t } from '../../messages/messages.ts';

interface FieldValuesListProps {
  /** Undefined while they load. */
  readonly found:
    | {
        readonly values: readonly { readonly value: Value; readonly rows?: number }[];
        /** There are more. */
        readonly isCut: boolean;
      }
    | undefined;
  /** Why the values could not be loaded. */
  readonly problem?: string | undefined;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** What the field's numbers are shown with. */
  readonly format: string | undefined;
  readonly condition: FieldFilter | undefined;
  /** Whether all values except the chosen ones can be asked for. */
  readonly mayExclude?: boolean;
  readonly onSet: (condition: FieldFilter | undefined) => void;
  /** Called when a value was chosen. Given, the list takes one value instead of several. */
  readonly onChosen?: () => void;
}

/**
 * A field's values, to be searched and chosen or excluded, with how many rows have each; null and empty text
 * can be picked like any other.
 */
export function FieldValuesList({
  found: data,
  problem,
  search,
  onSearch,
  format,
  condition,
  mayExclude = false,
  onSet,
  onChosen,
}: FieldValuesListProps) {
  // Without values there is no condition that could say whether the next ones are excluded.
  const [excludesNext, setExcludesNext] = useState(condition !== undefined && 'noneOf' in condition);
  const hasValues = condition !== undefined && ('oneOf' in condition || 'noneOf' in condition);
  const excludes = hasValues ? 'noneOf' in condition : excludesNext;
  const chosen = !hasValues ? [] : 'noneOf' in condition ? condition.noneOf : condition.oneOf;
  const choose = (values: Value[], isExcluded = excludes) =>
    onSet(values.length === 0 ? undefined : isExcluded ? { noneOf: values } : { oneOf: values });
  const setExcludes = (next: boolean) => {
    setExcludesNext(next);
    if (chosen.length > 0) choose(chosen, next);
  };
  const listed = data?.values ?? [];
  const missing =
    search === ''
      ? chosen.filter(value => !listed.some(row => row.value === value)).map(value => ({ value, rows: 0 }))
      : [];
  const content = ({ value, rows }: { readonly value: Value; readonly rows?: number }) => (
    <>
      <span className={`truncate ${value === null || value === '' ? 'text-text-3 italic' : ''}`}>
        {formatValue(value, locale, format)}
      </span>
      {rows === undefined ? null : (
        <span className="tabular ms-auto text-12 text-text-3">
          {formatNumber(rows, 'integer', locale, 'full')}
        </span>
      )}
    </>
  );
  return (
    <div className="flex flex-col gap-2">
      {mayExclude && !onChosen ? (
        <div role="group" aria-label={t.filters.chosenValues} className="flex gap-1">
          {[false, true].map(mode => (
            <Button
              key={String(mode)}
              look={mode === excludes ? 'plain' : 'quiet'}
              aria-pressed={mode === excludes}
              onPress={() => setExcludes(mode)}
            >
              {mode ? t.filters.exclude : t.filters.include}
            </Button>
          ))}
        </div>
      ) : null}
      <SearchField
        label={t.filters.search}
        maxLength={maxSearchLength}
        value={search}
        onChange={onSearch}
        autoFocus
      />
      <div className="-mx-1 flex max-h-72 flex-col overflow-auto">
        {[...missing, ...listed].map(row => {
          const { value } = row;
          const isChosen = chosen.includes(value);
          return onChosen ? (
            <Button
              key={JSON.stringify(value)}
              look="quiet"
              aria-pressed={isChosen && !excludes}
              className="h-auto! min-h-7 gap-2 px-1.5! pointer-coarse:min-h-11"
              onPress={() => {
                onSet({ oneOf: [value] });
                onChosen();
              }}
            >
              <span aria-hidden className="size-4 shrink-0 text-accent">
                {isChosen && !excludes ? <Check size={14} /> : null}
              </span>
              <span className="flex min-w-0 flex-1 items-center gap-2 text-text">{content(row)}</span>
            </Button>
          ) : (
            <Checkbox
              key={JSON.stringify(value)}
              isSelected={isChosen}
              onChange={isSelected =>
                choose(isSelected ? [...chosen, value] : chosen.filter(other => other !== value))
              }
            >
              {content(row)}
            </Checkbox>
          );
        })}
        {problem === undefined ? null : (
          <p role="alert" className="p-2 text-12 text-bad">
            {problem}
          </p>
        )}
        {data && !problem && listed.length === 0 && missing.length === 0 ? (
          <p className="p-2 text-12 text-text-2">{t.filters.none}</p>
        ) : null}
      </div>
      <div className="flex items-center justify-between">
        <span className="text-12 text-text-3">{data?.isCut ? t.filters.cut(listed.length) : ''}</span>
        <Button
          look="quiet"
          isDisabled={chosen.length === 0}
          onPress={() => {
            onSet(undefined);
            onChosen?.();
          }}
        >
          {onChosen ? t.filters.all : t.filters.clear}
        </Button>
      </div>
    </div>
  );
}
