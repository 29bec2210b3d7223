import { contract, embedAddress, type oembedEndpoints } from '@belvedere/api';
import type { FastifyRequest } from 'fastify';
import type { Embedding } from '../../auth/guests/embedding.ts';
import type { PublicLinks } from '../../auth/guests/public-links.ts';
import { ProblemError } from '../../http/problems.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** The size of a frame, px, unless less is asked for. */
const frame = { width: 960, height: 640 };
/** Seconds for which a site may keep an answer: a revoked link is soon no longer described. */
const cacheSeconds = 300;

/**
 * Describes addresses for oEmbed, with what a stranger would see of them. A frame is described alike whether
 * or not its dashboard exists.
 */
export function oembedRoutes(
  links: PublicLinks | undefined,
  embedding: Embedding | undefined,
): Pick<Handlers, keyof typeof oembedEndpoints> {
  return {
    getOembed: ({ query: { url, maxwidth, maxheight }, request }) => {
      const address = URL.canParse(url) ? new URL(url) : undefined;
      const nothing = new ProblemError('not-found', 'Neither a public link nor an embedded dashboard.');
      if (address?.host !== request.headers.host || !/^https?:$/.test(address!.protocol)) throw nothing;
      const described = { version: '1.0', provider_name: 'Belvedere', cache_age: cacheSeconds } as const;
      const secret = /^\/s\/([\w-]+)$/.exec(address!.pathname)?.[1];
      if (secret !== undefined && links) {
        const title = links.titleOf(secret);
        return { ...described, type: 'link', ...(title !== undefined && { title }) };
      }
      if (!embedding?.isOn || embedAddress(address!.pathname).dashboard === '') throw nothing;
      const [width, height] = [
        Math.min(maxwidth ?? Infinity, frame.width),
        Math.min(maxheight ?? Infinity, frame.height),
      ];
      // Without its query and fragment, which may hold a token.
      const src = escaped(address!.origin + address!.pathname);
      const html = `<iframe src="${src}" width="${width}" height="${height}" title="Dashboard" style="border:0"></iframe>`;
      return { ...described, type: 'rich', html, width, height };
    },
  };
}

/** Returns the element with which a page names its description. */
export function oembedLink({ protocol, headers, url }: FastifyRequest): string {
  const [path] = url.split('?') as [string];
  const origin = `${protocol}://${headers.host}`;
  const asked = new URLSearchParams({ url: `${origin}${path}` });
  const href = escaped(`${origin}${contract.getOembed.path}?${asked}`);
  return `<link rel="alternate" type="application/json+oembed" href="${href}">`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
