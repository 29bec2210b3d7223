import { FilterDefault } from '@belvedere/document';
import { z } from 'zod';

export const Sort = z.strictObject({ by: z.string().max(200), descending: z.boolean().optional() });

/** Conditions by field. */
export const Condition = z.record(z.string().max(200), FilterDefault);
