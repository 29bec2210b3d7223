import { sendTestMail } from '@belvedere/server';
import { Argument, Command } from 'commander';
import {
  pathHelp,
  workspaceAt,
  withCommonOptions,
  withTrust,
  type CommonOptions,
  type TrustOption,
} from '../arguments.ts';
import { withMail, type MailOption } from '../mail-option.ts';
import { print } from '../output.ts';

type Options = CommonOptions & MailOption & TrustOption;

export const mail = new Command('mail')
  .description('test how the server sends mail')
  .usage('test ADDRESS [PATH]')
  .helpCommand(false);

mail.addCommand(
  withTrust(withCommonOptions(withMail(new Command('test'))))
    .description('send a test mail with the settings that `serve` would use')
    .addArgument(new Argument('<address>', 'the recipient'))
    .addArgument(new Argument('[path]', pathHelp))
    .action(async (address: string, path: string | undefined, _: Options, self: Command) => {
      const options = self.optsWithGlobals<Options>();
      const location = await workspaceAt(path, { trust: options.trust ?? false });
      const server = await sendTestMail(address, { location, options });
      await print({ lines: [`Sent to ${address} with ${server}.`], json: { to: address, server } }, options);
    }),
);
