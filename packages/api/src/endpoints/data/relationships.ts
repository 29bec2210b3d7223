import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const Name = z.string().min(1).max(300);
/** Columns of a table, in the order in which they are compared with those of another. */
const RelationshipEnd = z.strictObject({ table: Name, columns: z.array(Name).min(1).max(8) });
/** A time of the first table, and the columns of the other one that say from when to when a row is valid. */
const RelationshipRange = z.strictObject({ column: Name, begin: Name, end: Name });
const RelationshipEnds = z.strictObject({
  from: RelationshipEnd,
  to: RelationshipEnd,
  between: RelationshipRange.optional(),
});

/** How many rows of a table find their row in another one. */
export const MatchCount = z
  .object({
    /** Rows that have a value. */
    rows: z.number(),
    matched: z.number(),
    /** Whether no value of the other table's columns occurs twice, or no two ranges of a value overlap. */
    isUnique: z.boolean(),
    /** Whether only some of the rows were counted. */
    isSampled: z.boolean().optional(),
  })
  .meta({ id: 'MatchCount' });
export type MatchCount = z.infer<typeof MatchCount>;

export const TableRelationship = z
  .object({
    from: RelationshipEnd,
    to: RelationshipEnd,
    between: RelationshipRange.optional(),
    cardinality: z.enum(['one-to-one', 'many-to-one']),
    verdict: z.enum(['used', 'offered', 'refused']),
    /** Why it is not used. */
    reason: z
      .enum([
        'not unique',
        'versions',
        'overlaps',
        'unmatched',
        'unrelated',
        'few values',
        'ambiguous',
        'own key',
        'composite',
        'other key',
        'superseded',
        'removed',
        'not measured',
      ])
      .optional(),
    /**
     * `found` by names and values, `declared` by the database, `chosen` by an author, or `nested`: lists in
     * the rows of another table.
     */
    origin: z.enum(['found', 'declared', 'chosen', 'nested']),
    matches: MatchCount.optional(),
  })
  .meta({ id: 'TableRelationship' });
export type TableRelationship = z.infer<typeof TableRelationship>;

export const RelatedTable = z
  .object({
    name: z.string(),
    rows: z.number().optional(),
    columns: z.array(z.object({ name: z.string(), type: z.string(), isKey: z.boolean() })),
  })
  .meta({ id: 'RelatedTable' });
export type RelatedTable = z.infer<typeof RelatedTable>;

const params = z.object({ name: z.string().max(64) });

/** Endpoints for how the tables of a source refer to each other. */
export const relationshipEndpoints = {
  getRelationships: endpoint({
    ...routes.getRelationships,
    access: { on: 'source', level: 'explore' },
    summary: 'List how the tables of a source, which may be `files`, refer to each other',
    params,
    response: z.object({ tables: z.array(RelatedTable), relationships: z.array(TableRelationship) }),
  }),
  countMatches: endpoint({
    ...routes.countMatches,
    access: { on: 'source', level: 'explore' },
    summary: 'Count how many rows of a table find their row in another one of the same source',
    params,
    body: RelationshipEnds,
    /** Without `matches`, counting takes too long, or the values cannot be compared. */
    response: z.object({ matches: MatchCount.optional() }),
  }),
  saveRelationship: endpoint({
    ...routes.saveRelationship,
    access: { on: 'source', level: 'edit' },
    summary: 'Use or remove a relationship between two tables, and save that in `tables/`',
    params,
    body: RelationshipEnds.extend({
      /** `automatic` forgets the decision. */
      use: z.enum(['always', 'never', 'automatic']),
    }),
    response: z.object({ file: z.string() }),
  }),
};
