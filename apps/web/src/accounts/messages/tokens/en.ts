import type { TokenScope } from '@belvedere/api';
import { pluralIn } from '../../../messages/plural-in.ts';

const plural = pluralIn('en');

/** The texts of access for programs: tokens, service accounts and assistants. */
export const tokensEn = {
  consent: {
    page: 'Connect an assistant',
    title: (name: string) => `Connect “${name}”?`,
    hint: (user: string) => `It will use Belvedere as ${user}.`,
    receiver: 'Access is given to',
    thisDevice: 'A program on this device',
    program: (scheme: string) => `A program on this device (${scheme})`,
    warning: 'The assistant chose its own name. Allow this only if you have just started it yourself.',
    rows: 'It sees only what you may see, and only your rows.',
    changes: {
      none: 'It cannot change dashboards or models.',
      some: 'It can change dashboards and models that you may change.',
    },
    ends: 'Access ends after 90 days without use. Revoke it at any time under Settings › Profile.',
    allow: 'Allow',
    deny: 'Don’t allow',
    answered: 'Continue in the assistant. You can close this page.',
    refused: 'Could not connect the assistant',
    invalid:
      'Its request is not valid. Remove the connection in the assistant’s settings, then connect it again.',
    off: 'Assistants cannot sign in here. Create an access token in Settings › Profile.',
  },
  tokens: {
    title: 'Access tokens',
    titleOf: (name: string) => `Access tokens of ${name}`,
    hint: 'Programs send one to call Belvedere as you.',
    hintOf: 'Programs send one to call Belvedere.',
    empty: 'No access tokens yet.',
    create: 'New token',
    name: 'Name',
    nameHint: 'Where you use it, such as “Nightly report”.',
    nameNeeded: 'Enter a name.',
    nameTaken: 'A token with this name exists.',
    scope: 'Allows',
    scopes: {
      read: 'Read dashboards',
      explore: 'Read and query models',
      write: 'Read, query and save',
      admin: 'Everything the account may do',
    } as Readonly<Record<TokenScope, string>>,
    life: 'Valid for',
    days: (days: number) => plural(days, 'day', 'days'),
    submit: 'Create token',
    secret: 'Token',
    created: 'Copy the token now. It is not shown again.',
    copy: 'Copy token',
    until: (day: string) => `Valid until ${day}`,
    assistantOf: (client: string) => `Assistant on ${client}`,
    localAssistant: 'Assistant on a device',
    expired: 'Expired',
    usedAt: (time: string) => `Last used ${time}`,
    neverUsed: 'Never used',
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke “${name}”`,
    revokeHint: 'Programs that use it stop working immediately.',
    menu: 'Access tokens…',
  },
  services: {
    create: 'New service account',
    hint: 'An account for a program. It has access tokens and cannot sign in.',
    name: 'Name',
    nameHint: 'Lowercase letters, digits and hyphens, such as nightly-report.',
    nameTaken: 'An account with this name exists.',
    submit: 'Create account',
    chip: 'Service',
  },
};

export type TokenMessages = typeof tokensEn;
