import { isAtLeast, type DashboardList } from '@belvedere/api';
import { useSession, useTables } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

/** A sentence on the workspace: its dashboards, and for makers its tables and their problems. */
export function HomeStatus({ list }: { readonly list: DashboardList | undefined }) {
  const { data: tables } = useTables();
  const { data: session } = useSession();
  return <p className="text-text-2">{status()}</p>;

  function status() {
    // A space keeps the line's height while it loads.
    if (!list) return ' ';
    const saved = list.dashboards.filter(({ origin }) => origin === 'saved').length;
    if (session && !isAtLeast(session.role, 'maker')) return saved > 0 && t.home.statusShared(saved);
    if (!tables) return ' ';
    const count = (...states: readonly string[]) =>
      tables.tables.filter(({ state }) => states.includes(state)).length;
    return t.home.status(
      saved,
      tables.tables.length,
      count('importing', 'waiting'),
      count('rejected') + list.skippedFiles.length,
    );
  }
}
