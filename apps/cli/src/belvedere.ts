// `belvedere`: the commands and their error handling.
import { Command, CommanderError } from 'commander';
import { withCommonOptions } from './arguments.ts';
import { append } from './commands/append.ts';
import { ask } from './commands/ask.ts';
import { backup, restore } from './commands/backup.ts';
import { build } from './commands/build.ts';
import { check } from './commands/check.ts';
import { create } from './commands/new.ts';
import { mail } from './commands/mail.ts';
import { mcp } from './commands/mcp.ts';
import { metrics } from './commands/metrics.ts';
import { open } from './commands/open.ts';
import { rotate } from './commands/rotate-keys.ts';
import { render } from './commands/render.ts';
import { fmt, migrate } from './commands/rewrite.ts';
import { serve } from './commands/serve.ts';
import { user } from './commands/user.ts';
import { version } from './project.ts';
import { fail } from './output.ts';

const program = new Command('belvedere')
  .description('Point it at files or a database; get linked, interactive dashboards, kept as readable text.')
  .usage('[PATH] [options]   or   belvedere COMMAND …')
  .version(version, '--version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand(false)
  .showHelpAfterError('See `--help`.')
  .addHelpText(
    'after',
    () =>
      `\n${optionsOf(open)}\n\`belvedere COMMAND --help\` prints the options of another command. Exit codes: 0 success, 1 problems\nfound, 2 invalid usage. With npm: npm start -- PATH --no-open`,
  )
  .exitOverride();
for (const command of [
  open,
  serve,
  user,
  mail,
  render,
  build,
  ask,
  append,
  mcp,
  metrics,
  create,
  check,
  fmt,
  migrate,
  backup,
  restore,
  rotate,
]) {
  program.addCommand(withCommonOptions(command).copyInheritedSettings(program), {
    isDefault: command === open,
  });
  for (const nested of command.commands) nested.copyInheritedSettings(command);
}
// `open` reports excess paths itself, because the first may be a mistyped command.
open.allowExcessArguments();

function optionsOf(command: Command): string {
  const help = command.createHelp();
  return help.formatHelp(command, help).replace(/^[\s\S]*?Options:/, `Options of ${command.name()}:`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError))
    fail(error, { ...(process.argv.includes('--json') && { json: true }) });
  // Help and version are successful; all other cases are usage errors.
  process.exit(error.exitCode === 0 ? 0 : 2);
}
