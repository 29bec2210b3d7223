import { z } from 'zod';
import { Label, Name } from './schema/names.ts';

/** The value or values of a user's attribute, which policies compare with columns. */
export const AttributeValue = z.union([
  z.string().max(1000),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string().max(1000), z.number()])).max(1000),
]);
export type AttributeValue = z.infer<typeof AttributeValue>;

/** A user, as row policies see them. */
export const PersonFile = z.strictObject({
  groups: z.array(Label).max(200).optional(),
  attributes: z.record(Name, AttributeValue).optional(),
});
export type PersonFile = z.infer<typeof PersonFile>;

/** `tests/NAME.yaml`: tests of row policies. The owner can also view dashboards as the users in it. */
export const PolicyTestFile = z
  .strictObject({
    version: z.literal(1),
    people: z.record(Label, PersonFile).optional(),
    tests: z
      .array(
        z.strictObject({
          as: Label,
          model: Name,
          /** The number of visible rows. */
          rows: z.number().int().min(0),
          /** The number of all rows. */
          of: z.number().int().min(0).optional(),
          /** Dimensions and measures that must be hidden. */
          hidden: z.array(Name).max(1000).optional(),
        }),
      )
      .max(1000)
      .optional(),
  })
  .meta({ title: 'Tests of Belvedere’s row policies' });
export type PolicyTestFile = z.infer<typeof PolicyTestFile>;
