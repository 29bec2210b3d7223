import { senderOf } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { routes } from '../../routes.ts';

/** `tls` from the first byte, `starttls` before anything is sent. */
const Security = z.enum(['starttls', 'tls', 'none']);

const Host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])$/, 'a host such as `mail.example.org`');

export const ChangedMailServer = z.strictObject({
  host: Host,
  port: z.number().int().min(1).max(65_535),
  security: Security,
  /** Absent if the server needs no sign-in. */
  user: z.string().min(1).max(300).optional(),
  /** It cannot be read again. Absent in a change that keeps it, which the same server and user may. */
  password: z.string().min(1).max(1000).optional(),
  /** The sender of all mails: an address, or `Name <address>`. */
  from: z
    .string()
    .max(320)
    .refine(text => senderOf(text) !== undefined, 'an address such as `Belvedere <belvedere@example.org>`'),
});
export type ChangedMailServer = z.infer<typeof ChangedMailServer>;

export const MailServerStatus = z
  .object({
    /** Absent if none is set. */
    server: z
      .object({
        host: z.string(),
        port: z.number(),
        security: Security,
        user: z.string().optional(),
        hasPassword: z.boolean(),
        from: z.string(),
      })
      .optional(),
    /** `options` of the command line or the environment, and `file` for `belvedere.yaml`, cannot be changed here. */
    setBy: z.enum(['options', 'file', 'owner']),
    /** Whether a setting is there that this instance cannot open, so that it must be entered again. */
    isUnreadable: z.boolean(),
    /** Why no mail is sent although a server is set. */
    offReason: z.string().optional(),
  })
  .meta({ id: 'MailServerStatus' });
export type MailServerStatus = z.infer<typeof MailServerStatus>;

/** Endpoints for the mail server. */
export const mailServerEndpoints = {
  getMailServer: endpoint({
    ...routes.getMailServer,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Get the mail server, without its password, and who has set it',
    response: MailServerStatus,
  }),
  saveMailServer: endpoint({
    ...routes.saveMailServer,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Set the mail server, unless the command line or `belvedere.yaml` does',
    body: ChangedMailServer,
    response: z.object({}),
  }),
  removeMailServer: endpoint({
    ...routes.removeMailServer,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Remove the mail server, so that no mail is sent',
    response: z.object({}),
  }),
  testMailServer: endpoint({
    ...routes.testMailServer,
    access: { on: 'workspace', role: 'owner' },
    summary: 'Send a test mail at once: to yourself, or without accounts to an address',
    body: z.strictObject({
      /** Only without accounts. */
      to: z.email().max(254).optional(),
      /** A server that is not saved; without it, the one that is set. */
      server: ChangedMailServer.optional(),
    }),
    response: z.object({ isSent: z.boolean(), to: z.string(), detail: z.string() }),
  }),
} as const;
