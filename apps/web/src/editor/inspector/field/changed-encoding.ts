import type { FieldEncoding, MeasureEncoding } from '@belvedere/document';

export type EncodingKey =
  | 'axis'
  | 'legend'
  | 'timeUnit'
  | 'gaps'
  | 'bin'
  | 'sort'
  | 'limit'
  | 'scale'
  | 'format'
  | 'show'
  | 'stack';

/** An encoding with a key changed; nothing in place of a value takes it out. */
export function changed<E extends FieldEncoding | MeasureEncoding>(
  encoding: E,
  key: EncodingKey,
  value: unknown,
): E {
  const { [key as never]: _, ...rest } = encoding as Record<string, unknown>;
  return (value === undefined ? rest : { ...encoding, [key]: value }) as E;
}

/**
 * The same for one key within an encoding's value, such as a scale's type. The value is removed if it becomes
 * empty.
 */
export function changedPart<E extends FieldEncoding | MeasureEncoding>(
  encoding: E,
  key: 'axis' | 'scale',
  part: string,
  value: unknown,
): E {
  const { [part]: _, ...rest } = (encoding[key] || {}) as Record<string, unknown>;
  const next = value === undefined ? rest : { ...rest, [part]: value };
  return changed(encoding, key, Object.keys(next).length > 0 ? next : undefined);
}
