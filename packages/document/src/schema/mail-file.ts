import { z } from 'zod';

/** How this server sends mail. Users and passwords are only in BELVEDERE_SMTP_URL. */
export const MailFile = z.strictObject({
  server: z
    .string()
    .max(300)
    .refine(
      isMailServer,
      'an address such as `smtp://mail.example.org:587`, without user or password: give those in BELVEDERE_SMTP_URL',
    )
    .optional()
    .meta({ description: 'the mail server; BELVEDERE_SMTP_URL takes precedence' }),
  from: z
    .string()
    .max(320)
    .refine(
      text => senderOf(text) !== undefined,
      'an address such as `belvedere@example.org` or `Belvedere <belvedere@example.org>`',
    )
    .optional()
    .meta({ description: 'the sender; BELVEDERE_MAIL_FROM takes precedence' }),
  domains: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'a domain such as `example.org`, in lower case'),
    )
    .max(50)
    .optional()
    .meta({ description: 'domains whose addresses can be in channels, beside the addresses of users' }),
});
export type MailFile = z.infer<typeof MailFile>;

function isMailServer(text: string): boolean {
  // Older browsers have no `URL.parse`.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    !url.username &&
    !url.password
  );
}

/** Returns the parts of `Name <name@example.org>`, or of an address alone; undefined for other texts. */
export function senderOf(text: string): { readonly name: string; readonly address: string } | undefined {
  const [, name, inBrackets] = /^([^<>\p{Cc}]*)<([^<>\s]+)>$/u.exec(text.trim()) ?? [];
  const address = inBrackets ?? text.trim();
  return z.email().safeParse(address).success ? { name: name?.trim() ?? '', address } : undefined;
}
