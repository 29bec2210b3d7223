// Writes docs/how-it-works/permissions.md from the rules in the code: `node scripts/permissions-guide.ts`. A
// test keeps the two the same.
import {
  contract,
  isAtLeast,
  levels,
  objectKinds,
  requestKind,
  roles,
  tokenScopes,
  type ActionObject,
  type Endpoint,
  type RequiredAccess,
} from '@belvedere/api';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { listActions } from '../apps/server/src/access/actions.ts';
import { permissionsEn } from '../apps/web/src/accounts/messages/permissions/en.ts';
import {
  addressRules,
  ceilings,
  forGuests,
  requiredScope,
  scopeRoles,
  whileViewingAs,
} from '../apps/server/src/access/rules.ts';

export const permissionsFile = path.resolve(
  import.meta.dirname,
  '..',
  'docs',
  'how-it-works',
  'permissions.md',
);

const introduction = `# Permissions

After this page you can look up who may call which endpoint, and why.

It is generated from the two places that decide: the table of roles in \
[rules.ts](../../apps/server/src/access/rules.ts), and the \`access\` of each endpoint in the \
[contract](../../packages/api/src/contract.ts). One hook checks every request before its route runs. A \
request without a rule stops the server at its start.

- A **grant** opens an object for a user, a group or everyone, with a level: \
${levels.map(level => `*${level}*`).join(', ')}; each includes those before it.
- A **role** is the most that its users may do with what is shared with them. Owners and admins need no grant.
- A folder's grants hold for everything in it, a source's for its models. An overview has the level of its \
model, at most *explore*.
- Drafts and earlier revisions are for those with the level *edit*. Explorations are for those who may \
explore the model.
- What is not shared does not exist: the response is the same as for a name that nothing has, 404, and it \
is absent from every list, search, event and count.
- A dashboard shows its data to all who may view it, under their [row policies](../guide/policies.md). Its \
authors must be allowed to explore the models that it uses. Viewers can name only the fields that it exposes.
- With row policies in the workspace, whole tables, their profiles and SQL are for admins.
- A grant that changes applies to the next request, and within five seconds to open pages.

Without accounts (\`belvedere PATH\`) there is one person, who is the owner.

`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function inWords(access: RequiredAccess): string {
  switch (access.on) {
    case 'anyone':
      return 'anyone';
    case 'self':
      return 'any signed-in user';
    case 'workspace':
      return `role *${access.role}*`;
    default:
      return `*${access.level}* on the ${access.on}${access.id === undefined ? '' : ` \`${access.id}\``}`;
  }
}

function labelOf(object: ActionObject, name: string): string {
  const label = (permissionsEn.actions[object] as Readonly<Record<string, string>>)[name]!;
  return label[0]!.toLowerCase() + label.slice(1);
}

export function permissionsPage(): string {
  const endpoints = Object.entries(contract) as [keyof typeof contract, Endpoint][];
  return `${introduction}## Roles

The highest level that a role can have on an object.

${table(
  ['role', ...objectKinds],
  roles.map(role => [role, ...objectKinds.map(kind => ceilings[role][kind] ?? '–')]),
)}

## Actions

What each role may do with objects that are shared with it at this level. *Settings › Permissions* shows the \
same table, with the endpoints of each action.

${table(
  ['action', 'requires', ...roles],
  listActions().map(({ object, name, level, role }) => [
    `${permissionsEn.objects[object]}: ${labelOf(object, name)}`,
    level ? `*${level.least}* on the ${level.on}` : role === undefined ? 'no account' : `role *${role}*`,
    ...roles.map(one => (role === undefined || isAtLeast(one, role) ? 'yes' : '')),
  ]),
)}

## Access tokens

A program with an [access token](../guide/access-tokens.md) has at most this role, and never more than its \
user. The scope \`read\` changes nothing, and \`explore\` nothing but comments.

${table(
  ['scope', 'at most the role'],
  tokenScopes.map(scope => [`\`${scope}\``, scopeRoles[scope]]),
)}

## Endpoints

*Token*: the least scope of an access token that may call it; – if only browsers may. *Viewing as*: \
whether it works while an admin views the workspace as another user. *Guest*: whether it works with a \
[public link](../guide/links.md), for the one dashboard of the link.

${table(
  ['endpoint', 'requires', 'token', 'viewing as', 'guest'],
  endpoints.map(([name, { method, path: address, access }]) => [
    `\`${method} ${address}\``,
    inWords(access),
    requiredScope(name) ?? '–',
    whileViewingAs.has(name) ? 'yes' : '',
    forGuests.has(name) ? (requestKind(name) === 'export' ? 'with downloads' : 'yes') : '',
  ]),
)}

Some endpoints look further at what they are given: the rows behind a mark and exports of data need \
*explore* on the dashboard; a subscription needs the role *explorer*; sharing needs *manage* on the object; \
moving into a folder needs *edit* on it; \
the trash shows what one may manage; a comment is edited by its author, and deleted by its author or an admin. \
Writing comments needs *explore* once an owner has switched off comments by viewers. With *view*, a comment \
can mention only people whom the dashboard's comments name already.

## Other addresses

${table(
  ['address', 'for'],
  Object.entries(addressRules).map(([address, rule]) => [
    `\`${address}\``,
    rule === 'opener' ? 'the program that may read this instance’s own secret' : rule,
  ]),
)}
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(permissionsFile, permissionsPage());
