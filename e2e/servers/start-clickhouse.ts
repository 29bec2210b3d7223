import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  emptyFolder,
  freePorts,
  programs,
  serverAt,
  startProgram,
  stopProgram,
  type TestServer,
} from './server-programs.ts';

export interface TestCluster extends TestServer {
  /** The HTTP port of each shard; the first is also `port`. */
  readonly shards: readonly number[];
  /** The first server's TLS port, if it has one. */
  readonly httpsPort?: number;
  /** Kills one shard, like a machine that fails. */
  stopShard(index: number): Promise<void>;
}

/**
 * Starts a ClickHouse cluster named `shards` on this machine, with one server per shard. @param secured the
 * files for TLS, if it should be enabled
 */
export async function startClickHouse(
  count: number,
  secured?: { readonly certificate: string; readonly key: string },
): Promise<TestCluster> {
  const named = process.env['BELVEDERE_TEST_CLICKHOUSE'];
  if (named) return { ...serverAt(named), shards: [serverAt(named).port], stopShard: async () => {} };
  const folder = await emptyFolder('clickhouse');
  const ports = await freePorts(count * 4);
  const http = ports.slice(0, count);
  const tcp = ports.slice(count, 2 * count);
  const https = (i: number) =>
    secured
      ? `<https_port>${ports[3 * count + i]}</https_port><openSSL><server><certificateFile>${secured.certificate}</certificateFile><privateKeyFile>${secured.key}</privateKeyFile><verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile></server></openSSL>`
      : '';
  const cluster = tcp
    .map(port => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`)
    .join('');
  const children = await Promise.all(
    http.map(async (port, i) => {
      const own = path.join(folder, String(i));
      await mkdir(own);
      await writeFile(
        path.join(own, 'users.xml'),
        '<yandex><profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles><quotas><default/></quotas><users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>',
      );
      await writeFile(
        path.join(own, 'config.xml'),
        `<yandex><logger><level>warning</level><log>${own}/log</log><errorlog>${own}/errors</errorlog></logger><http_port>${port}</http_port>${https(i)}<tcp_port>${tcp[i]}</tcp_port><interserver_http_port>${ports[2 * count + i]}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host><path>${own}/data/</path><tmp_path>${own}/tmp/</tmp_path><user_files_path>${own}/files/</user_files_path><format_schema_path>${own}/formats/</format_schema_path><users_config>${own}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>100000000</mark_cache_size><timezone>UTC</timezone><remote_servers><shards>${cluster}</shards></remote_servers></yandex>`,
      );
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/ping`).then(
          response => response.ok,
          () => false,
        );
      return startProgram(
        path.join(programs, 'usr', 'sbin', 'clickhouse-server'),
        [`--config-file=${own}/config.xml`],
        { cwd: own, isReady, asRoot: true },
      );
    }),
  );
  return {
    host: '127.0.0.1',
    port: http[0]!,
    database: 'default',
    user: 'default',
    password: '',
    shards: http,
    ...(secured && { httpsPort: ports[3 * count]! }),
    stopShard: index => stopProgram(children[index]!, 'SIGKILL'),
    stop: async () => {
      await Promise.all(children.map(child => stopProgram(child, 'SIGKILL')));
      await stopProgram(children[0]!, 'SIGKILL', folder);
    },
  };
}
