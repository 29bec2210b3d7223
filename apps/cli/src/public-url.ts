import { InvalidArgumentError, Option, type Command } from 'commander';

/** The option of commands that print or use the server's address in browsers. */
export interface PublicUrlOption {
  readonly publicUrl?: string;
}

/** Adds the option to say under which address users reach the server. */
export function withPublicUrl(command: Command): Command {
  return command.addOption(
    new Option('--public-url <address>', 'the address under which users reach the server: `https://HOST`')
      .env('BELVEDERE_PUBLIC_URL')
      .argParser(readOrigin),
  );
}

/** @throws InvalidArgumentError unless the text is an address without a path */
export function readOrigin(text: string): string {
  const url = URL.parse(text);
  const isOrigin =
    url !== null && ['http:', 'https:'].includes(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw new InvalidArgumentError('Expected an address without a path: `https://HOST`.');
  return url.origin;
}
