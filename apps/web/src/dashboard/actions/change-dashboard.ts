import { editText } from '@belvedere/document';
import { dashboardIdFrom } from '../../data/dashboards/dashboard-id.ts';
import { client, queryClient } from '../../data/server.ts';
import { offerRestore } from '../../downloads/offer-restore.ts';
import { t } from '../../messages/messages.ts';

const refresh = () => queryClient.invalidateQueries({ queryKey: ['workspace'] });

/** Gives a dashboard another title; its address stays. */
export async function renameDashboard(id: string, title: string): Promise<void> {
  const { text, hash } = await client.getDashboardText({ params: { id } });
  await client.saveDashboardText({
    params: { id },
    body: { text: editText(text, [{ kind: 'set', path: ['title'], value: title }]) },
    ifMatch: hash,
  });
  await refresh();
}

/** Gives a dashboard another address: its name and folder. */
export async function moveDashboard(id: string, to: string): Promise<void> {
  await client.moveDashboard({ params: { id }, body: { to } });
  await refresh();
}

/** Copies a saved dashboard, comments included, beside it. @returns the copy's ID */
export async function duplicateDashboard(id: string, title: string): Promise<string> {
  const { text } = await client.getDashboardText({ params: { id } });
  const copied = t.actions.copyOf(title);
  const to = await freeId([...id.split('/').slice(0, -1), dashboardIdFrom(copied)].join('/'));
  await client.saveDashboardText({
    params: { id: to },
    body: { text: editText(text, [{ kind: 'set', path: ['title'], value: copied }]) },
  });
  await refresh();
  return to;
}

/** Saves an overview as a dashboard of the same title. @returns the dashboard's ID */
export async function copyOverview(id: string): Promise<string> {
  const { document, title } = await client.getDashboard({ params: { id }, query: {} });
  const { description: _, ...kept } = document!;
  const to = await freeId(dashboardIdFrom(title) || 'overview');
  await client.saveDashboard({ params: { id: to }, body: { document: kept } });
  await refresh();
  return to;
}

/** Moves a dashboard to the trash, and offers to undo that. */
export async function removeDashboard(id: string, title: string): Promise<void> {
  const { number } = await client.removeDashboard({ params: { id } });
  await offerRestore(title, number);
}

/** The ID, with a number where there is a dashboard of that ID. */
async function freeId(wanted: string): Promise<string> {
  const { dashboards } = await client.listDashboards({ query: {} });
  const taken = new Set(dashboards.map(({ id }) => id));
  for (let count = 1; ; count++) {
    const id = count === 1 ? wanted : `${wanted}-${count}`;
    if (!taken.has(id)) return id;
  }
}
