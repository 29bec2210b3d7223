import { contract, storageReasons, type Endpoint } from '@belvedere/api';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { Guard } from '../../auth/authenticate.ts';
import { ifMatchDescriptions } from './if-match.ts';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** Headings in display order, each with the first segments of its paths. */
const headings: Readonly<Record<string, readonly string[]>> = {
  Dashboards: [
    'dashboards',
    'folders',
    'tiles',
    'moved-dashboards',
    'trash',
    'images',
    'maps',
    'validate',
    'problems',
  ],
  Models: ['models'],
  'Sources and tables': ['sources', 'uploads', 'sample'],
  'Alerts and reports': ['alerts', 'reports', 'channels', 'channel-settings', 'deliveries'],
  Sharing: ['sharing', 'subjects', 'links', 'embed', 'embed-keys', 'oembed', 'access-requests', 'comments'],
  'Your account': ['session', 'me', 'inbox', 'sign-in', 'sign-out', 'two-factor', 'password-resets'],
  'Users and groups': ['setup', 'users', 'groups', 'invitations', 'email-changes', 'service-accounts'],
  Administration: [
    'settings',
    'sign-in-providers',
    'mail-server',
    'assistants',
    'permissions',
    'audit',
    'system',
  ],
  'Open pages': ['events', 'presence'],
};
const headingOf: ReadonlyMap<string, string> = new Map(
  Object.entries(headings).flatMap(([heading, segments]) =>
    segments.map(segment => [segment, heading] as const),
  ),
);

/** @throws RangeError for a path that has no heading yet */
export function headingOfPath(path: string): string {
  const heading = headingOf.get(path.split('/')[3]!);
  if (heading === undefined)
    throw new RangeError(`${path} has no heading in the API’s description: add one to openapi.ts`);
  return heading;
}

const problem: NonNullable<
  NonNullable<NonNullable<FastifyDynamicSwaggerOptions['openapi']>['components']>['schemas']
>[string] = {
  type: 'object',
  required: ['type', 'title', 'status'],
  properties: {
    type: { type: 'string', description: 'A stable code; each has a page in docs/errors' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened, and what to do next' },
    version: {
      type: 'string',
      description: 'With `revision-conflict`: the current version, if there is one',
    },
    reason: {
      type: 'string',
      enum: [...storageReasons],
      description: 'With `state-unavailable`: why nothing can be saved',
    },
    instance: { type: 'string', description: 'The request ID, also in the log' },
    errors: {
      type: 'array',
      description: 'With a document: all its errors',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          file: { type: 'string' },
          path: { type: 'string' },
          line: { type: 'integer' },
          column: { type: 'integer' },
          message: { type: 'string' },
          suggestion: { type: 'string' },
        },
      },
    },
  },
};

/**
 * Returns the API's OpenAPI 3.1 description: the calls of the contract, their responses, their errors, and
 * authentication.
 * @param guard its cookie's name is set once the port is known
 */
export function openApiDocument(
  version: string,
  guard: Pick<Guard, 'cookieName'>,
): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Belvedere', version },
      tags: Object.keys(headings).map(name => ({ name })),
    },
    transform: input => {
      const name = (input.schema as { operationId?: string } | undefined)?.operationId;
      if (name === undefined || !Object.hasOwn(contract, name))
        return { schema: { hide: true }, url: input.url };
      const { schema, url } = jsonSchemaTransform(input);
      const { method, path, response, replaces, accepts } = contract[
        name as keyof typeof contract
      ] as Endpoint;
      const given = (schema.response as Record<string, unknown> | undefined)?.['200'];
      return {
        url,
        schema: {
          ...schema,
          tags: [headingOfPath(path)],
          ...(accepts && {
            consumes: [accepts],
            ...(accepts !== 'application/json-patch+json' && {
              body: { type: 'string', ...(accepts === 'application/octet-stream' && { format: 'binary' }) },
            }),
          }),
          ...(method !== 'GET' && {
            headers: {
              type: 'object',
              required: ['x-belvedere'],
              properties: {
                ...(replaces && {
                  'if-match': { type: 'string', description: ifMatchDescriptions[replaces] },
                }),
                'x-belvedere': {
                  const: '1',
                  description: 'Required for requests other than GET; prevents cross-site requests',
                },
              },
            },
          }),
          response: {
            200: {
              description: 'The response',
              content:
                typeof response === 'string'
                  ? {
                      [response]: {
                        schema: {
                          type: 'string',
                          ...(!/^(text|image\/svg)/.test(response) && { format: 'binary' }),
                        },
                      },
                    }
                  : { 'application/json': { schema: given } },
            },
            default: {
              description: 'What is wrong, and what to do next (RFC 9457)',
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          },
        },
      };
    },
    transformObject: document => {
      const described = jsonSchemaTransformObject(document) as {
        readonly components?: { readonly schemas?: object };
      };
      return {
        ...described,
        components: {
          schemas: { ...described.components?.schemas, Problem: problem },
          securitySchemes: {
            session: {
              type: 'apiKey',
              in: 'cookie',
              name: guard.cookieName,
              description: 'Set by the address that is printed at startup',
            },
          },
        },
        security: [{ session: [] }],
      };
    },
  };
}
