import { z } from 'zod';
import { Label, Name } from './schema/names.ts';

/** What is known of a person, for policies to compare with: one value, or several. */
export const AttributeValue = z.union([
  z.string().max(1000),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string().max(1000), z.number()])).max(1000),
]);
export type AttributeValue = z.infer<typeof AttributeValue>;

/** Somebody as policies see them. */
export const PersonFile = z.strictObject({
  groups: z.array(Label).max(200).optional(),
  attributes: z.record(Name, AttributeValue).optional(),
});
export type PersonFile = z.infer<typeof PersonFile>;

/** `tests/NAME.yaml`: what row policies let whom see. Its people are those that dashboards can be seen as, too. */
export const PolicyTestFile = z
  .strictObject({
    version: z.literal(1),
    people: z.record(Label, PersonFile).optional(),
    tests: z
      .array(
        z.strictObject({
          as: Label,
          model: Name,
          /** How many are seen. */ rows: z.number().int().min(0),
          /** Of how many. */ of: z.number().int().min(0).optional(),
          /** What must not be there. */ hidden: z.array(Name).max(1000).optional(),
        }),
      )
      .max(1000)
      .optional(),
  })
  .meta({ title: 'Tests of Belvedere’s row policies' });
export type PolicyTestFile = z.infer<typeof PolicyTestFile>;
