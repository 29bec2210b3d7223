import { z } from 'zod';

/** What the operator of a server allows its webhooks. */
export const WebhooksFile = z.strictObject({
  allow: z
    .array(
      z
        .string()
        .max(260)
        .regex(
          /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\]):[1-9]\d{0,4}$/,
          'a host with its port, such as `hooks.internal:8443`',
        ),
    )
    .max(50)
    .optional()
    .meta({
      description: 'hosts with their ports that may be in private networks and may be reached with `http:`',
    }),
});
export type WebhooksFile = z.infer<typeof WebhooksFile>;
