import { z } from 'zod';
import { assistantScopes } from '../../access/access.ts';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

const text = (maxLength: number) => z.string().max(maxLength).optional();

/** The parameters with which an assistant leads a browser to the page of consent (RFC 6749, 7636 and 8707). */
const AuthorizationRequest = z.object({
  response_type: text(100),
  client_id: text(5000),
  redirect_uri: text(1000),
  code_challenge: text(200),
  code_challenge_method: text(100),
  scope: text(1000),
  state: text(5000),
  resource: text(1000),
});
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;

const Scope = z.enum(assistantScopes);

/** Endpoints with which users connect assistants by OAuth. */
export const oauthEndpoints = {
  getConsent: endpoint({
    ...routes.getConsent,
    access: { on: 'self' },
    summary: 'Describe an assistant that asks to act as the caller, and check its request',
    query: AuthorizationRequest,
    response: z.object({
      /** As the assistant calls itself. */
      name: z.string(),
      /** Receives the access: a host, `localhost`, or the scheme of addresses that a program opens. */
      site: z.string(),
      /** Whether it is a program on the user's device. */
      isProgram: z.boolean(),
      /** Those that it asks for, least first. */
      scopes: z.array(Scope),
      /** Leads back to the assistant with a refusal. */
      refusal: z.string(),
    }),
  }),
  giveConsent: endpoint({
    ...routes.giveConsent,
    access: { on: 'self' },
    summary: 'Let an assistant act as the caller within a scope',
    body: z.strictObject({ request: AuthorizationRequest, scope: Scope }),
    /** Leads back to the assistant with a code. */
    response: z.object({ address: z.string() }),
  }),
  switchAssistants: endpoint({
    ...routes.switchAssistants,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Let users connect assistants by signing in, or no longer',
    body: z.strictObject({ isOn: z.boolean() }),
    response: z.object({}),
  }),
} as const;
