import { contract } from '@belvedere/api';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { ProblemError } from '../../http/problems.ts';
import { pictureAt, sendPicture } from './embed-picture.ts';

test('a picture whose key is revoked while it is drawn is refused as with a revoked key', async () => {
  const app = Fastify();
  app.setErrorHandler((error, _, reply) =>
    reply.status(error instanceof ProblemError ? 403 : 500).send({ type: (error as { type?: string }).type }),
  );
  app.post(contract.openEmbed.path, () => ({ token: 'guest', theme: 'light' }));
  app.post(contract.postExport.path, (_, reply) => {
    // As `mountContract` does with what a caller may no longer have.
    reply.raw.destroy();
    return new Promise(() => {});
  });
  app.get('/embed/*', (request, reply) => sendPicture(app, request, reply, pictureAt(request.url)!));
  const { statusCode, body } = await app.inject({
    url: '/embed/sales.png',
    headers: { authorization: 'Bearer token' },
  });
  expect([statusCode, body]).toEqual([403, '{"type":"embed-refused"}']);
  await app.close();
});
