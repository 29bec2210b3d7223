import { GuestView } from '@belvedere/api';
import { FilterDefault } from '@belvedere/document';
import { compactVerify } from 'jose';
import { z } from 'zod';
import { ProblemError } from '../../http/problems.ts';
import { readJson } from '../../http/read-json.ts';

/** The longest life of a token. */
export const maxTokenMs = 10 * 60_000;
/** How far the clock of a signing site may be ahead. */
const aheadMs = 60_000;
const maxFields = 50;

const Field = z.string().min(1).max(200);
const Header = z.strictObject({
  alg: z.literal('HS256'),
  kid: z.string().min(1).max(100),
  typ: z.literal('JWT').optional(),
});

const Claims = z.strictObject({
  aud: z.literal('belvedere-embed'),
  /** Seconds since 1970. */
  iat: z.number().int(),
  exp: z.number().int(),
  /** Names the viewer: each viewer gets a share of the server. */
  sub: z.string().min(1).max(200).optional(),
  dashboard: z.string().min(1).max(300),
  /** The only tile that is shown. */
  tile: z.string().min(1).max(64).optional(),
  pages: GuestView.shape.pages,
  /** Conditions that always apply and cannot be changed; null for all values. */
  locked: fieldsWith(FilterDefault.nullable()),
  /** Conditions that always apply; within them, the filter can be changed. */
  limited: fieldsWith(FilterDefault),
  /** Filters that can be changed to anything. */
  free: z.array(Field).max(maxFields).default([]),
  downloads: z.boolean().default(false),
  /** What row policies know of the viewer. */
  attributes: GuestView.shape.attributes,
  theme: z.enum(['auto', 'light', 'dark']).default('auto'),
  locale: z
    .string()
    .max(35)
    .regex(/^[a-z]{2,3}(-[a-z\d]{1,8})*$/i)
    .optional(),
});
export type EmbedClaims = z.infer<typeof Claims>;

function fieldsWith<T extends z.ZodType>(condition: T) {
  return z
    .record(Field, condition)
    .refine(fields => Object.keys(fields).length <= maxFields, `at most ${maxFields} fields`)
    .default({});
}

/**
 * Verifies a token (JWS, compact, HS256 alone) and returns its claims.
 *
 * @param secretOf the secret that a `kid` names; undefined if there is none now
 * @throws ProblemError `embed-refused`. Only a signed token is told what is wrong with it
 */
export async function verifyEmbedToken(
  token: string,
  secretOf: (kid: string) => string | undefined,
  now: number,
): Promise<{ readonly kid: string; readonly claims: EmbedClaims }> {
  const kid = kidOf(token);
  const secret = kid === undefined ? undefined : secretOf(kid);
  if (kid === undefined || secret === undefined) throw embedRefused(unsigned);
  const { payload } = await compactVerify(token, Buffer.from(secret), { algorithms: ['HS256'] }).catch(() => {
    throw embedRefused(unsigned);
  });
  const read = Claims.safeParse(parsed(Buffer.from(payload).toString('utf8')));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw embedRefused(`The token’s claims are not valid: \`${issue!.path.join('.')}\` ${issue!.message}.`);
  }
  const claims = read.data;
  const [from, until] = [claims.iat * 1000, claims.exp * 1000];
  if (until <= now) throw embedRefused('The token has expired.');
  if (from > now + aheadMs)
    throw embedRefused('The token is of the future: `iat` is ahead of the server’s clock.');
  if (until - from > maxTokenMs)
    throw embedRefused('The token lives too long: at most 10 minutes after `iat`.');
  const named = [...Object.keys(claims.locked), ...Object.keys(claims.limited), ...claims.free];
  if (new Set(named).size < named.length)
    throw embedRefused('The token names a field twice: in `locked`, `limited` and `free`.');
  return { kid, claims };
}

const unsigned = 'The token is not signed with a key of this server.';

/** Returns the key that a token names, if it is written as tokens are: in one way only. */
function kidOf(token: string): string | undefined {
  const parts = token.split('.');
  const isPlain = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
  if (parts.length !== 3 || !parts.every(isPlain)) return undefined;
  const header = Header.safeParse(parsed(Buffer.from(parts[0]!, 'base64url').toString('utf8')));
  return header.success ? header.data.kid : undefined;
}

/** Returns undefined for what is no JSON, or repeats a name. */
function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

export function embedRefused(detail: string): ProblemError {
  return new ProblemError('embed-refused', detail);
}
