import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const pixels = z.coerce.number().int().min(1).max(10_000).optional();

/** What oEmbed (https://oembed.com) tells of an address that others have pasted somewhere. */
export const oembedEndpoints = {
  getOembed: endpoint({
    ...routes.getOembed,
    access: { on: 'anyone' },
    summary: 'Describe the address of a public link or of an embedded dashboard for oEmbed',
    query: z.object({
      url: z.string().max(4000),
      format: z.literal('json').default('json'),
      maxwidth: pixels,
      maxheight: pixels,
    }),
    response: z.object({
      version: z.literal('1.0'),
      /** `link` for a public link, which no frame shows; `rich` for embedding, with the frame's HTML. */
      type: z.enum(['link', 'rich']),
      provider_name: z.string(),
      /** The dashboard's title, if everyone who opens the address sees it. */
      title: z.string().optional(),
      html: z.string().optional(),
      width: z.number().optional(),
      height: z.number().optional(),
      /** Seconds. */
      cache_age: z.number(),
    }),
  }),
} as const;
