import { labelFrom } from '@belvedere/document';
import { isTemporal, type DataType } from '@belvedere/model';
import { InlineSelect, TextField } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { setKey } from '../../editor/state/commands.ts';
import { useEditor } from '../../editor/state/editing.ts';
import { Section } from '../../editor/inspector/Section.tsx';
import { words } from '../../editor/messages/words.ts';
import { t } from '../../messages/messages.ts';
import { useModelEditing } from '../model-editing.ts';
import { ModelRemoval } from './ModelRemoval.tsx';

/** Everything about the model as a whole: while none of its entries is chosen. */
export function ModelPanel() {
  const { editor, tables, sources } = useModelEditing();
  const document = useEditor(editor, state => state.document);
  const checked = useEditor(editor, state => state.checked);
  const set = (key: string, value: unknown) => editor.apply(words.steps.setting, [setKey([key], value)], key);
  const times = Object.entries(checked.dimensions)
    .filter(([, type]) => isTemporal(type as DataType))
    .map(([name]) => name);
  const known = (names: readonly string[], current: string) =>
    [...new Set([current, ...names])].filter(name => name !== '').map(name => ({ value: name, label: name }));
  const whole = checked.problems.filter(
    ({ path }) => !/^(dimensions|measures|joins|hierarchies|filters|policies)\./.test(path),
  );
  return (
    <>
      <Section title={words.model.title}>
        <TextField
          label={words.model.label}
          value={document.label ?? ''}
          placeholder={labelFrom(editor.name)}
          onChange={label => set('label', label)}
        />
        <TextField
          label={words.tile.description}
          value={document.description ?? ''}
          onChange={description => set('description', description)}
        />
        {sources.length > 0 ? (
          <InlineSelect
            label={words.model.source}
            value={document.source ?? 'files'}
            options={known(['files', ...sources], document.source ?? 'files')}
            onChange={source => set('source', source === 'files' ? undefined : source)}
          />
        ) : null}
        {document.sql === undefined ? (
          <InlineSelect
            label={words.model.table}
            value={document.table ?? ''}
            options={known(
              tables.map(({ name }) => name),
              document.table ?? '',
            )}
            onChange={table => set('table', table)}
          />
        ) : (
          <div className="flex flex-col gap-1">
            <span className="text-12 text-text-2">{words.model.sql}</span>
            <pre className="max-h-48 overflow-auto rounded-control border border-border p-2 font-mono text-12 whitespace-pre-wrap text-text-2">
              {document.sql}
            </pre>
            <Link
              to="/sql/$source"
              params={{ source: document.source ?? 'files' }}
              search={{ model: editor.name }}
              className="text-13 text-accent-text underline"
            >
              {words.model.openSql}
            </Link>
          </div>
        )}
        <InlineSelect
          label={words.model.time}
          value={document.time ?? ''}
          options={[{ value: '', label: '–' }, ...known(times, document.time ?? '')]}
          onChange={time => set('time', time)}
        />
        <TextField
          label={words.model.watermark}
          placeholder="max(loaded_at)"
          value={document.watermark ?? ''}
          onChange={watermark => set('watermark', watermark)}
        />
        {whole.length > 0 ? (
          <ul
            className="flex flex-col gap-1 rounded-control bg-bad-weak px-2.5 py-2 text-12 text-bad"
            role="alert"
          >
            {whole.map((problem, i) => (
              <li key={`${i}:${problem.message}`}>{problem.message}</li>
            ))}
          </ul>
        ) : null}
      </Section>
      <Section title={editor.file}>
        <Link
          to="/explore/$model"
          params={{ model: editor.name }}
          className="text-13 text-accent-text underline"
        >
          {t.data.explore}
        </Link>
        <p className="text-12 text-text-2">{words.model.hint}</p>
        <ModelRemoval editor={editor} title={document.label ?? labelFrom(editor.name)} />
      </Section>
    </>
  );
}
