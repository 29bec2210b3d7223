import { ProblemError, roles, withAccounts, type Accounts, type Role } from '@belvedere/server';
import { Argument, Command } from 'commander';
import {
  pathHelp,
  workspaceAt,
  withCommonOptions,
  withStateUrl,
  type CommonOptions,
  type StateUrlOption,
} from '../arguments.ts';
import { print, type Outcome } from '../output.ts';
import { withPublicUrl, type PublicUrlOption } from '../public-url.ts';

type Options = CommonOptions & StateUrlOption & PublicUrlOption;

const actor = { label: 'command line', role: 'owner' } as const;
const email = new Argument('<email>', 'the user’s e-mail address');
const role = new Argument('<role>', 'what the user may do').choices(roles);
const pathArgument = new Argument('[path]', pathHelp);

export const user = new Command('user')
  .description('list and change the users of a workspace that no server has open')
  .usage('list|add|role|disable|enable|reset|reset-two-factor …')
  .helpCommand(false)
  .addHelpText(
    'after',
    `
Stop \`belvedere serve\` first; while it runs, admins do this under Settings › People. \`reset\` lets an owner in again who
lost the password, \`reset-two-factor\` one who lost the second factor.`,
  );

const commands = [
  new Command('list')
    .description('list the users')
    .addArgument(pathArgument)
    .action((path: string | undefined, _: Options, self: Command) =>
      run(path, self, async ({ people }) => {
        const users = [...people.byId.values()];
        return {
          lines: users.map(one =>
            [
              one.email,
              one.role,
              ...(one.isDisabled ? ['disabled'] : []),
              ...(one.hasAuthenticator || one.passkeys > 0 ? ['two-factor'] : []),
              one.name,
            ].join('  '),
          ),
          json: users,
          note: `${users.length} ${users.length === 1 ? 'user' : 'users'}`,
        };
      }),
    ),
  new Command('add')
    .description('print a link with which a new user chooses a password, valid for seven days')
    .addArgument(email)
    .addArgument(role)
    .addArgument(pathArgument)
    .action((address: string, as: Role, path: string | undefined, _: Options, self: Command) =>
      run(path, self, async accounts => {
        if (accounts.signUp.needsSetup)
          throw new ProblemError('request-invalid', 'Create the first owner first: start `belvedere serve`.');
        const invited = { email: addressOf(address), role: as, groups: [] };
        const { token } = await accounts.administration.invite(invited, actor);
        return linkTo(`/invite/${token}`, self);
      }),
    ),
  new Command('role')
    .description('change what a user may do')
    .addArgument(email)
    .addArgument(role)
    .addArgument(pathArgument)
    .action((address: string, as: Role, path: string | undefined, _: Options, self: Command) =>
      run(path, self, accounts => change(accounts, address, { role: as })),
    ),
  new Command('disable')
    .description('keep a user from signing in, and end all sessions')
    .addArgument(email)
    .addArgument(pathArgument)
    .action((address: string, path: string | undefined, _: Options, self: Command) =>
      run(path, self, accounts => change(accounts, address, { isDisabled: true })),
    ),
  new Command('enable')
    .description('let a disabled user sign in again')
    .addArgument(email)
    .addArgument(pathArgument)
    .action((address: string, path: string | undefined, _: Options, self: Command) =>
      run(path, self, accounts => change(accounts, address, { isDisabled: false })),
    ),
  new Command('reset')
    .description('print a link with which a user sets a new password, valid for one day')
    .addArgument(email)
    .addArgument(pathArgument)
    .action((address: string, path: string | undefined, _: Options, self: Command) =>
      run(path, self, async accounts => {
        const token = await accounts.administration.createPasswordReset(userAt(accounts, address).id, actor);
        return linkTo(`/reset/${token}`, self);
      }),
    ),
  new Command('reset-two-factor')
    .description(
      'remove the authenticator app and the passkeys of a user who lost them, and end all sessions',
    )
    .addArgument(email)
    .addArgument(pathArgument)
    .action((address: string, path: string | undefined, _: Options, self: Command) =>
      run(path, self, async accounts => {
        const { id, email: of } = userAt(accounts, address);
        await accounts.administration.resetTwoFactor(id, actor);
        return {
          lines: [of],
          json: { email: of },
          note: 'The password is enough now, or a new set-up follows it.',
        };
      }),
    ),
];
for (const command of commands) user.addCommand(withCommonOptions(withPublicUrl(withStateUrl(command))));

async function run(
  path: string | undefined,
  self: Command,
  work: (accounts: Accounts) => Promise<Outcome>,
): Promise<void> {
  // `user` has the common options too, and takes those that stand behind its own commands.
  const options = self.optsWithGlobals<Options>();
  const location = await workspaceAt(path, { stateUrl: options.stateUrl });
  await print(await withAccounts(location, work), options);
}

async function change(
  accounts: Accounts,
  address: string,
  changed: Parameters<Accounts['administration']['updateUser']>[1],
): Promise<Outcome> {
  const {
    email: of,
    role: as,
    isDisabled,
  } = await accounts.administration.updateUser(userAt(accounts, address).id, changed, actor);
  return {
    lines: [`${of}  ${as}${isDisabled ? '  disabled' : ''}`],
    json: { email: of, role: as, isDisabled },
  };
}

/** @throws ProblemError `not-found` */
function userAt(accounts: Accounts, address: string) {
  const found = accounts.people.findByEmail(addressOf(address));
  if (!found)
    throw new ProblemError('not-found', `No user has the address ${address}. \`user list\` lists all users.`);
  return found;
}

/** @throws ProblemError `request-invalid` unless it looks like an e-mail address */
function addressOf(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text))
    throw new ProblemError('request-invalid', `\`${text}\` is not an e-mail address.`);
  return text.toLowerCase();
}

function linkTo(path: string, self: Command): Outcome {
  const { publicUrl } = self.optsWithGlobals<Options>();
  const link = `${publicUrl ?? ''}${path}`;
  return {
    lines: [link],
    json: { link },
    note:
      publicUrl === undefined ? 'Put the server’s address before it, or give --public-url.' : 'Pass it on.',
  };
}
