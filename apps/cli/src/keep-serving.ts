import type { ResolvedWorkspace, RunningServer } from '@belvedere/server';

const longestStopMs = 10_000;

/**
 * Keeps a server running until the process is told to stop, or another one takes over the folder.
 * @param onHangup what SIGHUP does; it stops the server if absent
 */
export function keepServing(
  server: RunningServer,
  location: ResolvedWorkspace,
  isSilent: boolean,
  onHangup?: () => void,
): void {
  if (!isSilent) reportReading(server);
  // The output's reader may have closed it. Logging that write error would cause another, endlessly.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  // Last resort: a driver that fails on its server's response must not crash the whole server.
  process.on('uncaughtException', error => console.error(new Date().toISOString(), 'Uncaught error:', error));
  let isStopping = false;
  const stop = async () => {
    // Ctrl-C reaches this process twice, from the terminal and from `npm start`.
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), longestStopMs).unref();
    await server.close();
    process.exit(0);
  };
  void server.lost.then(holder => {
    const what =
      holder === undefined
        ? `The folder ${location.state} was removed`
        : `Another Belvedere has taken over this folder: ${holder}`;
    console.error(`${what}. This server stops; it has not written anything since.`);
    // Do not close the server, because another instance now has the folder open.
    process.exit(1);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  process.on('SIGHUP', onHangup ?? (() => void stop()));
}

/** Prints each table that could not be imported or has rejected rows, once, and missing translations. */
function reportReading({ store }: RunningServer): void {
  const said = new Set<string>();
  const look = () => {
    for (const { name, state, imported, problem } of store.current.tables.values()) {
      if (state === 'rejected' && !said.has(name)) {
        said.add(name);
        console.error(
          `${problem?.file ?? name}${problem?.line ? `, line ${problem.line}` : ''}: ${problem?.message ?? 'could not be read'}`,
        );
      } else if (state === 'ready' && imported && !said.has(name) && imported.report.rowsRejected > 0) {
        said.add(name);
        console.error(
          `${name}: ${imported.report.rowsKept} rows kept, ${imported.report.rowsRejected} rejected. See Data.`,
        );
      }
    }
  };
  look();
  store.subscribe(look);
  for (const { untranslated = [] } of store.current.dashboards.values()) {
    for (const [file, texts] of Object.entries(Object.groupBy(untranslated, text => text.file)))
      console.error(
        `${file}: ${texts!.length} ${texts!.length === 1 ? 'text' : 'texts'} not translated: ${texts!
          .slice(0, 5)
          .map(text => text.path)
          .join(', ')}${texts!.length > 5 ? ' …' : ''}`,
      );
  }
}
