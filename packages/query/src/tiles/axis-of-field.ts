import type { FieldEncoding } from '@belvedere/document';
import { isTemporal, niceStep, unitFor } from '@belvedere/model';
import { isAmount, isNumber, type FieldFacts } from './field-facts.ts';

/**
 * Encodes a field for an axis: times by a unit that gives about forty points, measured numbers in bins.
 * Integers with few values, and names, stay as they are.
 */
export function axisOf(field: FieldFacts): FieldEncoding {
  const { name, type, profile } = field;
  if (type && isTemporal(type))
    return {
      field: name,
      timeUnit: profile && typeof profile.min === 'number' ? unitFor(profile, type) : 'month',
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
