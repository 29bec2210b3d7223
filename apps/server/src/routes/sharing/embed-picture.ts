import { contract, embedAddress, exportWidth, sharedDashboardId } from '@belvedere/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { embedRefused } from '../../auth/guests/embed-token.ts';
import { ProblemError } from '../../http/problems.ts';

/** What the address of a picture names: `/embed/:dashboard.png`, `/embed/:dashboard/tiles/:tile.svg`. */
interface Picture {
  readonly dashboard: string;
  readonly tile?: string;
  readonly format: 'png' | 'svg';
}

/** A signed token has no place here: servers and proxies log addresses. */
const PictureQuery = z.strictObject({
  width: exportWidth(z.coerce.number()),
  theme: z.enum(['light', 'dark']).optional(),
  locale: z.string().max(35).optional(),
});

/** @param url with or without a query; returns undefined for the address of a page */
export function pictureAt(url: string): Picture | undefined {
  const [, page, format] = /^([^?]+)\.(png|svg)(?:\?|$)/.exec(url) ?? [];
  return page === undefined ? undefined : { ...embedAddress(page), format: format as Picture['format'] };
}

/**
 * Draws what a signed token shows, for the server of a site. It is exchanged and exported through the
 * endpoints that frames use, so that their permissions, limits and audit entries apply.
 *
 * @throws ProblemError `embed-refused` without a token, `request-invalid`
 */
export async function sendPicture(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { dashboard, tile, format }: Picture,
): Promise<FastifyReply> {
  const query = PictureQuery.safeParse(request.query);
  if (!query.success) throw new ProblemError('request-invalid', z.prettifyError(query.error));
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined)
    throw embedRefused('A picture needs a signed token: `Authorization: Bearer TOKEN`.');
  const post = (url: string, payload: object, authorization?: string) =>
    app
      .inject({
        method: 'POST',
        url,
        headers: {
          host: request.headers.host!,
          'x-belvedere': '1',
          ...(authorization !== undefined && { authorization }),
        },
        remoteAddress: request.ip,
        payload,
      })
      .catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'LIGHT_ECONNRESET'
          ? embedRefused('It ended while the picture was drawn.')
          : error;
      });
  const opened = await post(contract.openEmbed.path, { token, dashboard, tile });
  if (opened.statusCode !== 200) return sendAs(reply, opened);
  const access = opened.json<z.output<typeof contract.openEmbed.response>>();
  const { theme = access.theme === 'dark' ? 'dark' : 'light', locale = access.locale, width } = query.data;
  const state = { page: 0, filters: {}, selections: {} };
  const exported = await post(
    contract.postExport.path.replace(':id', sharedDashboardId),
    { format, tile, theme, locale, width, state },
    `Guest ${access.token}`,
  );
  return sendAs(reply, exported);
}

type Injected = Awaited<ReturnType<FastifyInstance['inject']>>;

/** Sends another response as one's own, to be shown instead of saved. */
function sendAs(reply: FastifyReply, { statusCode, headers, rawPayload }: Injected): FastifyReply {
  const { 'content-disposition': disposition } = headers;
  for (const name of ['content-type', 'content-security-policy', 'cache-control', 'retry-after'])
    if (headers[name] !== undefined) reply.header(name, headers[name]);
  if (disposition !== undefined)
    reply.header('content-disposition', String(disposition).replace(/^attachment/, 'inline'));
  return reply.status(statusCode).send(rawPayload);
}
