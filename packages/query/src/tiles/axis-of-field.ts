import type { FieldEncoding } from '@belvedere/document';
import { isTemporal, niceStep, timeUnitFor } from '@belvedere/model';
import { isAmount, isNumber, type FieldFacts } from './field-facts.ts';

/** More points than these are noise in a chart of half a page: a year is drawn by weeks, a quarter by days. */
const maxPoints = 120;
const maxPointsOfFiner = 240;

/**
 * Encodes a field for an axis: times by the finest unit that reads as a line, measured numbers in bins.
 * Integers with few values, and names, stay as they are.
 */
export function axisOf(field: FieldFacts): FieldEncoding {
  const { name, type, profile } = field;
  if (type && isTemporal(type))
    return {
      field: name,
      timeUnit:
        profile && typeof profile.min === 'number' && typeof profile.max === 'number'
          ? timeUnitFor({ type, profile }, maxPoints, maxPointsOfFiner)
          : 'month',
    };
  if (!isNumber(field)) return { field: name, limit: 12 };
  if (!isAmount(field)) return { field: name };
  const { low, high } = profile ?? {};
  if (low === undefined || high === undefined || !(high > low)) return { field: name, bin: true };
  const step = niceStep(high - low, 30, type === 'integer');
  return {
    field: name,
    bin: { step },
    scale: { domain: [Math.floor(low / step) * step, (Math.floor(high / step) + 1) * step] },
  };
}

/** Encodes a number for points: as it is, within its usual range. */
export function spreadOf({ name, profile }: FieldFacts): FieldEncoding {
  const { low, high } = profile ?? {};
  return low !== undefined && high !== undefined && high > low
    ? { field: name, scale: { domain: [low, high] } }
    : { field: name };
}
