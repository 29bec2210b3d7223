import { editText, readDocument, type Tile } from '@belvedere/document';
import { Button, InlineSelect, Modal, TextField } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dashboardIdFrom } from '../../data/dashboard-id.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient, useDashboards } from '../../data/server.ts';
import { addTile } from '../../editor/state/commands.ts';
import type { FieldProfiles } from '../../editor/encoding/field-profiles.ts';
import { words } from '../../editor/messages/words.ts';
import { t } from '../../messages/messages.ts';

/** Saves the chart to a new or existing dashboard, whose other content stays unchanged. */
export function SaveToDialog({
  tile,
  facts,
  onClose,
}: {
  readonly tile: Tile;
  readonly facts: FieldProfiles;
  readonly onClose: () => void;
}) {
  const { data } = useDashboards();
  const [target, setTarget] = useState('');
  const [name, setName] = useState(facts.label);
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
              model: facts.name,
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
        const own: Tile = read.value.model === facts.name ? tile : ({ ...tile, model: facts.name } as Tile);
        await client.saveDashboardText({
          params: { id },
          body: {
            text: editText(text, addTile(read.value, 0, own, undefined, false).edits),
            message: words.explore.title(facts.label),
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
    <Modal
      label={words.explore.save}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      <form
        className="flex flex-col gap-3 p-5"
        onSubmit={event => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 className="text-15 font-semibold">{words.explore.save}</h2>
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
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" type="submit" isDisabled={target === '' && newId === ''}>
            {words.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
