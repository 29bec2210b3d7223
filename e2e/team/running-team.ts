import { createClient, type Client, type Role } from '@belvedere/api';
import { resolveWorkspace, startServer, type RunningServer } from '@belvedere/server';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pagesFolder } from '../../apps/cli/src/project.ts';

/** A signed-in user of a team's server. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  readonly client: Client;
}

export interface RunningTeam {
  readonly server: RunningServer;
  /** Everything that the server writes is in it. */
  readonly folder: string;
  readonly owner: Member;
  /** A client without a session. */
  readonly stranger: Client;
  /** Writes a file of the workspace, as git or an editor does. */
  readonly write: (file: string, text: string) => Promise<void>;
  /** Invites a user and accepts the invitation. */
  readonly join: (name: string, role: Role, groups?: readonly string[]) => Promise<Member>;
  close(): Promise<void>;
}

export const password = 'nine brown bears dance';

const unlimited = `limits:
  readsPerMinute: 1000000
  writesPerMinute: 1000000
  exportsPerMinute: 1000000
  uploadsPerMinute: 1000000
`;

/** Starts Belvedere for a team on a workspace of these files, set up by Olga, its owner. */
export async function runTeam(
  files: Readonly<Record<string, string>>,
  {
    stateUrl,
    hasRateLimits = false,
    isTrusted = false,
    ...options
  }: {
    readonly stateUrl?: string;
    /** Limits requests as usual. Most tests send more than any user does. */
    readonly hasRateLimits?: boolean;
    /** Confirms what the workspace names outside itself, as `--trust` does. */
    readonly isTrusted?: boolean;
  } & Partial<Parameters<typeof startServer>[0]> = {},
): Promise<RunningTeam> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-team-'));
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
  process.env['XDG_STATE_HOME'] = path.join(folder, 'state');
  const write = async (file: string, text: string) => {
    const at = path.join(folder, 'workspace', file);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, text);
  };
  for (const [file, text] of Object.entries(files))
    await write(file, file === 'belvedere.yaml' && !hasRateLimits ? `${text}${unlimited}` : text);
  const server = await startServer({
    location: { ...(await resolveWorkspace(path.join(folder, 'workspace'))), stateUrl, isTrusted },
    mode: 'team',
    host: '127.0.0.1',
    port: 0,
    movesOn: false,
    version: 'test',
    pagesFolder,
    ...options,
  });
  const owner = await enter(server, 'olga@example.org', client =>
    client.setUp({
      body: { code: server.setupCode!, name: 'Olga', email: 'olga@example.org', password },
    }),
  );
  return {
    server,
    folder,
    owner,
    stranger: createClient(server.address),
    write,
    join: async (name, role, groups = []) => {
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.org`;
      const { link } = await owner.client.inviteUser({ body: { email, role, groups: [...groups] } });
      return enter(server, email, client =>
        client.acceptInvitation({ params: { token: link!.split('/').at(-1)! }, body: { name, password } }),
      );
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @param sign signs in, whose response has the cookie */
export async function enter(
  server: RunningServer,
  email: string,
  sign: (client: Client) => Promise<unknown>,
): Promise<Member> {
  let cookie = '';
  await sign(
    createClient(server.address, async (input, init) => {
      const response = await fetch(input, init);
      cookie = response.headers
        .getSetCookie()
        .map(one => one.split(';')[0])
        .join('; ');
      return response;
    }),
  );
  const client = createClient(server.address, (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } }),
  );
  const { user } = await client.getSession({});
  return { id: user.id, email, cookie, client };
}
