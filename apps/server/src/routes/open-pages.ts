import fastifyStatic from '@fastify/static';
import { jsonSchemaOf, schemaNames, type SchemaName } from '@belvedere/document';
import type { Engine } from '@belvedere/engine';
import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Answers } from '../answers/answer-question.ts';
import type { Guard } from '../auth/guard-requests.ts';
import { ProblemError } from '../problems.ts';
import { writeTrouble } from '../workspace/create-file.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { apiDocsPage } from './api-docs-page.ts';

/** What is not in the contract: health, metrics, schemas, documentation, the one-time address and the program's own pages. */
export async function openPages(app: FastifyInstance, guard: Guard, store: WorkspaceStore, answers: Answers, engine: Engine, pagesFolder: string): Promise<void> {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const rejected = [...store.current.tables.values()].filter(table => table.state === 'rejected').map(table => table.name);
    const reading = [...store.current.tables.values()].filter(table => table.state === 'reading' || table.state === 'waiting').map(table => table.name);
    const trouble = writeTrouble(store.folders.root);
    return reply.send({ ready: true, ...(trouble !== undefined && { saving: trouble }), engine: engine.status, reading, rejected, documentProblems: store.current.problems.length });
  });

  const registry = metricsOf(answers, engine);
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()));

  app.get('/api/openapi.json', async (_, reply) => reply.send(app.swagger()));
  app.get('/api/docs', async (_, reply) => reply.type('text/html; charset=utf-8').send(apiDocsPage(app.swagger() as Parameters<typeof apiDocsPage>[0])));
  app.get<{ Params: { file: string } }>('/api/schema/:file', async request => {
    const name = request.params.file.replace(/\.json$/, '');
    if (!schemaNames.includes(name as SchemaName)) throw new ProblemError('not-found', `There are schemas for ${schemaNames.join(', ')}.`);
    return jsonSchemaOf(name as SchemaName);
  });

  app.get<{ Params: { token: string } }>('/open/:token', async (request, reply) => {
    const session = guard.sessions.open(request.params.token);
    if (!session) {
      if (guard.sessions.isValid(request.cookies[guard.cookieName])) return reply.redirect('/');
      throw new ProblemError('not-signed-in', 'This address has been used. Start Belvedere again for a new one, or use the browser that opened it.');
    }
    return reply.setCookie(guard.cookieName, session, { path: '/', httpOnly: true, sameSite: 'lax' }).header('cache-control', 'no-store').redirect('/');
  });

  await app.register(fastifyStatic, { root: pagesFolder, index: false, wildcard: true, preCompressed: true, setHeaders: (reply, file) => void reply.header('cache-control', file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache') });
  const indexFile = path.join(pagesFolder, 'index.html');
  const index = existsSync(indexFile) ? readFileSync(indexFile, 'utf8') : '<!doctype html><title>Belvedere</title><p>The pages are not built yet: run npm start.';
  // How the workspace writes is known before the first text is drawn, and how it was before the first answer.
  const page = () => {
    const [locale] = Intl.getCanonicalLocales(store.current.settings.locale);
    return index.replace('<html ', `<html data-revision="${store.current.revision}" ${locale === undefined ? '' : `data-locale="${locale}" `}`);
  };
  app.get('/', (_, reply) => reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page()));
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' || request.url.startsWith('/api/') || /\.\w{2,5}$/.test(request.url.split('?')[0]!)) throw new ProblemError('not-found', 'There is nothing at this address.');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page());
  });
}

function metricsOf(answers: Answers, engine: Engine): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `belvedere_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('queries_running', 'Questions the engine is answering', () => answers.running);
  gauge('queries_waiting', 'Questions waiting for their turn', () => answers.waiting);
  gauge('engine_executions_total', 'Questions the engine has been asked', () => answers.executions);
  gauge('cache_hits_total', 'Questions answered from the cache', () => answers.cache.hits);
  gauge('cache_bytes', 'Bytes of answers kept', () => answers.cache.bytes);
  gauge('worker_restarts_total', 'Times the engine’s process has ended', () => engine.status.restarts);
  return registry;
}
