import { createClient, type Client } from '@belvedere/api';
import type { RunningTeam } from '../running-team.ts';

/** A browser without pages: keeps the cookies of all servers, and follows a provider's redirects. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly #server: string;
  readonly client: Client;

  constructor({ server }: RunningTeam) {
    this.#server = server.address;
    this.client = createClient(server.address, (input, init) => this.send(String(input), init));
  }

  async send(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(init.headers as Record<string, string>),
        cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const one of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
      if (value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    return response;
  }

  /** Forgets the session at the provider, so that another user can sign in there. */
  leaveProvider(): void {
    for (const origin of this.#cookies.keys()) if (origin !== this.#server) this.#cookies.delete(origin);
  }

  /** Signs in at the provider. @returns the address to which it redirects */
  async answer(address: string, user: string): Promise<string> {
    let response = await this.send(address);
    for (let step = 0; step < 12; step++) {
      const next = response.headers.get('location');
      if (next === null) {
        const { pathname } = new URL(response.url);
        if (!pathname.startsWith('/login/'))
          throw new Error(`${response.status} ${response.url}: ${await response.text()}`);
        response = await this.send(response.url, {
          method: 'POST',
          body: new URLSearchParams({ login: user }),
        });
        continue;
      }
      const target = new URL(next, response.url).href;
      if (target.startsWith(this.#server)) return target;
      response = await this.send(target);
    }
    throw new Error('The provider does not lead back.');
  }

  /** Opens the callback. @returns the page to which it redirects */
  async return(callback: string): Promise<string> {
    const response = await this.send(callback);
    return response.headers.get('location') ?? `${response.status} ${await response.text()}`;
  }

  /** Signs in with the provider, from the begin to the end. */
  async signIn(user: string, provider = 'test'): Promise<string> {
    const { address } = await this.client.beginProviderSignIn({ params: { provider }, body: {} });
    return this.return(await this.answer(address, user));
  }
}
