import type { DashboardFile } from '@belvedere/document';
import { Button, InlineSelect, Modal, TextField } from '@belvedere/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardIdFrom } from '../../data/dashboards/dashboard-id.ts';
import { modelsByOverview } from '../../data/dashboards/models-by-overview.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient, useDashboards, useTables } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

/** Creates a dashboard: its name, its model, and whether it begins empty or with the overview of the data. */
export function NewDashboardDialog({ onClose }: { readonly onClose: () => void }) {
  const { data } = useQuery({
    queryKey: ['workspace', 'models'],
    queryFn: ({ signal }) => client.listModels({}, { signal }),
  });
  const { data: tables } = useTables();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const { data: dashboards } = useDashboards();
  const models = modelsByOverview(data?.models ?? [], dashboards?.dashboards ?? []);
  const model = chosen ?? models[0]?.name;
  const title = typed.trim();
  const id = dashboardIdFrom(title);
  // Models are still loading.
  const isReading =
    models.length === 0 &&
    (!data || (tables?.tables ?? []).some(table => table.state === 'importing' || table.state === 'waiting'));
  const isReady = id !== '' && !isReading;
  const create = async (start: 'empty' | 'overview') => {
    try {
      const overview =
        start === 'overview' && model
          ? await client
              .getDashboard({ params: { id: `overview/${model}` }, query: {} })
              .catch(() => undefined)
          : undefined;
      const document: DashboardFile = overview?.document ?? {
        version: 1,
        title,
        ...(model && { model }),
        pages: [{ title: t.home.firstPage, tiles: {} }],
      };
      await client.saveDashboard({ params: { id }, body: { document: { ...document, title } } });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      await navigate({ to: '/d/$dashboard/edit', params: { dashboard: id } });
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <Modal label={t.home.create} isOpen onOpenChange={isOpen => !isOpen && onClose()}>
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={event => {
          event.preventDefault();
          if (isReady) void create('empty');
        }}
      >
        <h2 className="text-15 font-semibold">{t.home.create}</h2>
        <TextField
          autoFocus
          label={t.dashboard.saveName}
          value={typed}
          onChange={setTyped}
          {...(error !== undefined && { error })}
        />
        {isReading ? (
          <p role="status" className="text-12 text-text-2">
            {t.dashboard.importingTitle}
          </p>
        ) : null}
        <InlineSelect
          label={t.home.about}
          value={model ?? ''}
          options={models.map(({ name, label }) => ({ value: name, label }))}
          onChange={setChosen}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button isDisabled={!isReady || !model} onPress={() => void create('overview')}>
            {t.home.fromOverview}
          </Button>
          <Button look="primary" type="submit" isDisabled={!isReady}>
            {t.home.empty}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
