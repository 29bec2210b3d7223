import { sendTestMail } from '@belvedere/server';
import { Argument, Command } from 'commander';
import { pathHelp, workspaceAt, withCommonOptions, type CommonOptions } from '../arguments.ts';
import { withMail, type MailOption } from '../mail-option.ts';
import { print } from '../output.ts';

type Options = CommonOptions & MailOption;

export const mail = new Command('mail')
  .description('test how the server sends mail')
  .usage('test ADDRESS [PATH]')
  .helpCommand(false);

mail.addCommand(
  withCommonOptions(withMail(new Command('test')))
    .description('send a test mail with the settings that `serve` would use')
    .addArgument(new Argument('<address>', 'the recipient'))
    .addArgument(new Argument('[path]', pathHelp))
    .action(async (address: string, path: string | undefined, _: Options, self: Command) => {
      const options = self.optsWithGlobals<Options>();
      const { root, title } = await workspaceAt(path);
      const server = await sendTestMail(address, { root, title, options });
      await print({ lines: [`Sent to ${address} with ${server}.`], json: { to: address, server } }, options);
    }),
);
