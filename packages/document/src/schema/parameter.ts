import { z } from 'zod';
import { TimeUnit } from './encoding.ts';
import { Label } from './names.ts';

const common = { label: Label.optional() };
const Field = z.string().min(1).max(200);

/**
 * A choice of the viewer: the measure or field shown, the time grain, a number, or a choice from a list of
 * words. Without `default`, its first option is the default.
 */
export const Parameter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('measure'),
    ...common,
    options: z.array(Field).min(1).max(40),
    default: Field.optional(),
  }),
  z.strictObject({
    kind: z.literal('field'),
    ...common,
    options: z.array(Field).min(1).max(40),
    default: Field.optional(),
  }),
  z.strictObject({
    kind: z.literal('timeUnit'),
    ...common,
    options: z.array(TimeUnit).min(1).max(9),
    default: TimeUnit.optional(),
  }),
  z.strictObject({
    kind: z.literal('number'),
    ...common,
    default: z.number(),
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().positive().optional(),
  }),
  z.strictObject({
    kind: z.literal('choice'),
    ...common,
    options: z.array(Label).min(1).max(40),
    default: Label.optional(),
  }),
]);
export type Parameter = z.infer<typeof Parameter>;

export type ParameterValue = string | number;

/** The viewer's choices, by parameter name. */
export type ChosenParameters = Readonly<Record<string, ParameterValue>>;
