import { formatNumber, formatValue } from '@belvedere/chart';
import { maxSearchLength } from '@belvedere/document';
import type { FieldFilter, Value } from '@belvedere/query';
import { Button, Checkbox, SearchField } from '@belvedere/ui';
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
  readonly onSet: (condition: FieldFilter | undefined) => void;
}

/**
 * A field's values, to be searched and chosen, with how many rows have each; null and empty text can be picked
 * like any other.
 */
export function FieldValuesList({
  found: data,
  problem,
  search,
  onSearch,
  format,
  condition,
  onSet,
}: FieldValuesListProps) {
  const chosen = condition && 'oneOf' in condition ? condition.oneOf : [];
  const listed = data?.values ?? [];
  const missing =
    search === ''
      ? chosen.filter(value => !listed.some(row => row.value === value)).map(value => ({ value, rows: 0 }))
      : [];
  return (
    <div className="flex flex-col gap-2">
      <SearchField
        label={t.filters.search}
        maxLength={maxSearchLength}
        value={search}
        onChange={onSearch}
        autoFocus
      />
      <div className="-mx-1 flex max-h-72 flex-col overflow-auto">
        {[...missing, ...listed].map(({ value, rows }) => (
          <Checkbox
            key={JSON.stringify(value)}
            isSelected={chosen.includes(value)}
            onChange={isSelected => {
              const next = isSelected ? [...chosen, value] : chosen.filter(other => other !== value);
              onSet(next.length > 0 ? { oneOf: next } : undefined);
            }}
          >
            <span className={`truncate ${value === null || value === '' ? 'text-text-3 italic' : ''}`}>
              {formatValue(value, locale, format)}
            </span>
            {rows === undefined ? null : (
              <span className="tabular ms-auto text-12 text-text-3">
                {formatNumber(rows, 'integer', locale, 'full')}
              </span>
            )}
          </Checkbox>
        ))}
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
        <Button look="quiet" isDisabled={chosen.length === 0} onPress={() => onSet(undefined)}>
          {t.filters.clear}
        </Button>
      </div>
    </div>
  );
}
