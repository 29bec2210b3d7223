import { ProblemError, startServer } from '@belvedere/server';
import { Command, InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
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
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly auditLog?: string;
  readonly breachedPasswords?: string;
  readonly backups?: string;
  readonly backupAt: string;
  readonly backupsKept: number;
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
  .addOption(
    new Option(
      '--tls-cert <file>',
      'serve HTTPS with this certificate, and those of its issuers, in PEM',
    ).env('BELVEDERE_TLS_CERT'),
  )
  .addOption(
    new Option('--tls-key <file>', 'the private key of the certificate, in PEM').env('BELVEDERE_TLS_KEY'),
  )
  .addOption(
    new Option(
      '--audit-log <file>',
      'also write the audit log to this file, a line of JSON for each entry; `-` for the standard output',
    ).env('BELVEDERE_AUDIT_LOG'),
  )
  .addOption(
    new Option(
      '--breached-passwords <file>',
      'refuse passwords whose SHA-1 hash is in this sorted file, as of Have I Been Pwned',
    ).env('BELVEDERE_BREACHED_PASSWORDS'),
  )
  .addOption(
    new Option('--backups <folder>', 'make a backup in this folder every day').env('BELVEDERE_BACKUPS'),
  )
  .option('--backup-at <time>', 'time of day of the backup, in the workspace’s zone', readTime, '03:00')
  .option('--backups-kept <number>', 'how many backups are kept', wholeNumber(1, 1000), 14)
  .addHelpText(
    'after',
    `
The first start prints a code, with which you create the first owner at /setup. Users then sign in with e-mail address
and password. To serve other machines, put a proxy with a certificate before it:
\`belvedere serve PATH --public-url https://belvedere.example.org\`, or give it a certificate of its own with --tls-cert
and --tls-key. SIGHUP opens the file of --audit-log again.`,
  )
  .action(async (path: string | undefined, options: Options) => {
    checkEncryption(options);
    const certificate = certificateOf(options);
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
      certificate,
      ...(options.breachedPasswords !== undefined && {
        breachedPasswords: resolve(options.breachedPasswords),
      }),
      ...(options.backups !== undefined && {
        backups: { folder: resolve(options.backups), at: options.backupAt, kept: options.backupsKept },
      }),
      auditLog: options.auditLog === '-' ? line => void process.stdout.write(line) : options.auditLog,
      ...(options.trustProxy && { trustedProxies: options.trustProxy }),
    });
    for (const notice of server.notices) console.error(notice);
    const address = options.publicUrl ?? server.address;
    // The standard output has only entries if it is the audit log.
    const say = options.auditLog === '-' ? async (text: string) => console.error(text.trimEnd()) : write;
    await say(
      options.json
        ? `${JSON.stringify({ address, port: server.port, ...(server.setupCode && { setupCode: server.setupCode }) })}\n`
        : `Belvedere is open at ${address}\n${server.setupCode ? setupText(address, server.setupCode) : ''}`,
    );
    const hasFiles = certificate !== undefined || (options.auditLog ?? '-') !== '-';
    keepServing(server, location, isSilent, hasFiles ? () => server.reopenFiles() : undefined);
  });

function readTime(text: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text;
  throw new InvalidArgumentError('Use a time of day such as 03:00.');
}

function setupText(address: string, code: string): string {
  return `Create the first owner at ${address}/setup\nSet-up code: ${code}\nThe code works once, until this server stops.\n`;
}

/** @throws ProblemError if one of both files is missing, or the public address has no encryption */
function certificateOf({ tlsCert: cert, tlsKey: key, publicUrl }: Options) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ProblemError('request-invalid', 'Give both `--tls-cert` and `--tls-key`.');
  if (publicUrl?.startsWith('http:'))
    throw new ProblemError('request-invalid', 'With a certificate, `--public-url` must begin with `https:`.');
  return { cert, key };
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
        'Use an `https:` address with a proxy that has a certificate or with `--tls-cert`, or `--allow-http` on a network that you trust.',
    );
}
