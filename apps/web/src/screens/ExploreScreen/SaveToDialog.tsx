import { editText, readDocument, type Tile } from '@belvedere/document';
import { InlineSelect, TextField } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardIdFrom } from '../../data/dashboards/dashboard-id.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient, useDashboards } from '../../data/server.ts';
import { addTile } from '../../editor/state/commands.ts';
import type { FieldProfiles } from '../../editor/encoding/field-profiles.ts';
import { words } from '../../editor/messages/words.ts';
import { t } from '../../messages/messages.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

/** Saves the chart to a new or existing dashboard, whose other content stays unchanged. */
export function SaveToDialog({
  tile,
  profiles,
  onClose,
}: {
  readonly tile: Tile;
  readonly profiles: FieldProfiles;
  readonly onClose: () => void;
}) {
  const { data } = useDashboards();
  const [target, setTarget] = useState('');
  const [name, setName] = useState(profiles.label);
  const [error, setError] = useState<string>();
  const navigate = useNavigate();
  const saved = (data?.dashboards ?? []).filter(
    dashboard => dashboard.origin === 'saved' && dashboard.state !== 'broken',
  );
  const newId = dashboardIdFrom(name);
  const save = async () => {
    try {
      const id = target === '' ? newId : target;
      if (target === '')
        await client.saveDashboard({
          params: { id },
          body: {
            document: {
              version: 1,
              title: name.trim(),
              model: profiles.name,
              pages: [{ title: t.home.firstPage, tiles: { chart: { ...tile, at: [0, 0, 24, 10] } as Tile } }],
            },
          },
        });
      else {
        const { text, hash, file } = await client.getDashboardText({ params: { id } });
        const read = readDocument('dashboard', text, file);
        if (!read.ok) {
          setError(read.problems[0]!.message);
          return;
        }
        const own: Tile =
          read.value.model === profiles.name ? tile : ({ ...tile, model: profiles.name } as Tile);
        await client.saveDashboardText({
          params: { id },
          body: {
            text: editText(text, addTile(read.value, 0, own, undefined, false).edits),
            message: words.explore.title(profiles.label),
          },
          ifMatch: hash,
        });
      }
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      await navigate({ to: '/d/$dashboard', params: { dashboard: id }, search: {} });
    } catch (problem) {
      setError(problemText(problem));
    }
  };
  return (
    <FormDialog
      title={words.explore.save}
      submitLabel={words.save}
      isDisabled={target === '' && newId === ''}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <InlineSelect
        label={words.explore.to}
        value={target}
        options={[
          { value: '', label: words.explore.fresh },
          ...saved.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={setTarget}
      />
      {target === '' ? (
        <TextField
          autoFocus
          label={words.explore.name}
          value={name}
          onChange={setName}
          {...(error !== undefined && { error })}
        />
      ) : error ? (
        <p role="alert" className="text-bad">
          {error}
        </p>
      ) : null}
    </FormDialog>
  );
}
