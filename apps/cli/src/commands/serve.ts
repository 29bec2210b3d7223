import { ProblemError, startServer } from '@belvedere/server';
import { Command } from 'commander';
import {
  list,
  loopback,
  pathHelp,
  workspaceAt,
  wholeNumber,
  withStateUrl,
  withTrust,
  type CommonOptions,
  type StateUrlOption,
  type TrustOption,
} from '../arguments.ts';
import { keepServing } from '../keep-serving.ts';
import { withMail, type MailOption } from '../mail-option.ts';
import { write } from '../output.ts';
import { addSample } from '../prepare-sample.ts';
import { pagesFolder, project, version } from '../project.ts';
import { withPublicUrl, type PublicUrlOption } from '../public-url.ts';

interface Options extends CommonOptions, TrustOption, StateUrlOption, PublicUrlOption, MailOption {
  readonly host: string;
  readonly port: number;
  readonly allowHttp?: true;
  readonly trustProxy?: readonly string[];
}

export const serve = withMail(withPublicUrl(withStateUrl(withTrust(new Command('serve')))))
  .description('serve a workspace to a team, with accounts')
  .argument('[path]', pathHelp)
  .option('--port <number>', 'port to listen on', wholeNumber(0, 65_535), 4600)
  .option('--host <address>', 'address to listen on', loopback[0]!)
  .option('--allow-http', 'accept passwords and send data over the network without encryption')
  .option(
    '--trust-proxy <addresses>',
    'addresses or ranges of proxies that tell the client’s address, separated by commas: `127.0.0.1,10.0.0.0/8`',
    list,
  )
  .addHelpText(
    'after',
    `
The first start prints a code, with which you create the first owner at /setup. Users then sign in with e-mail address
and password. To serve other machines, put a proxy with a certificate before it:
\`belvedere serve PATH --public-url https://belvedere.example.org\``,
  )
  .action(async (path: string | undefined, options: Options) => {
    checkEncryption(options);
    const isSilent = options.quiet === true || options.json === true;
    const location = await workspaceAt(path, { trust: options.trust ?? false, stateUrl: options.stateUrl });
    const server = await startServer({
      location,
      mode: 'team',
      host: options.host,
      port: options.port,
      // Users know the address.
      movesOn: false,
      version,
      pagesFolder,
      addSample: place => addSample(project, place),
      mail: options,
      ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
      ...(options.trustProxy && { trustedProxies: options.trustProxy }),
    });
    for (const notice of server.notices) console.error(notice);
    const address = options.publicUrl ?? server.address;
    await write(
      options.json
        ? `${JSON.stringify({ address, port: server.port, ...(server.setupCode && { setupCode: server.setupCode }) })}\n`
        : `Belvedere is open at ${address}\n${server.setupCode ? setupText(address, server.setupCode) : ''}`,
    );
    keepServing(server, location, isSilent);
  });

function setupText(address: string, code: string): string {
  return `Create the first owner at ${address}/setup\nSet-up code: ${code}\nThe code works once, until this server stops.\n`;
}

/** @throws ProblemError if passwords could be read on the network */
function checkEncryption({ host, publicUrl, allowHttp }: Options): void {
  const isLocal = loopback.includes(host);
  if (!isLocal && publicUrl === undefined)
    throw new ProblemError(
      'request-invalid',
      `With \`--host ${host}\`, other machines can connect. Give the address that they use with \`--public-url https://…\`.`,
    );
  const isEncrypted =
    publicUrl === undefined ||
    publicUrl.startsWith('https:') ||
    loopback.includes(new URL(publicUrl).hostname.replaceAll(/[[\]]/g, ''));
  if (!isEncrypted && !allowHttp)
    throw new ProblemError(
      'request-invalid',
      `Over ${publicUrl}, passwords and data would cross the network unencrypted. ` +
        'Use an `https:` address with a proxy that has a certificate, or `--allow-http` on a network that you trust.',
    );
}
