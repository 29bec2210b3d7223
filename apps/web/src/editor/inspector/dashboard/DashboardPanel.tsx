import { Button, InlineSelect, IconButton, Modal, TextField } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Plus, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { client, queryClient } from '../../../data/server.ts';
import { offerRestore } from '../../../downloads/offer-restore.ts';
import { setKey } from '../../state/commands.ts';
import { useEditing, useEditor } from '../../state/editing.ts';
import { words } from '../../messages/words.ts';
import { CalendarSection } from './CalendarSection.tsx';
import { FilterList } from '../FilterList.tsx';
import { ParameterList } from './ParameterList.tsx';
import { Section } from '../Section.tsx';
import { ThemeSection } from './ThemeSection.tsx';

/** Everything about the dashboard as a whole: while no tile is chosen. */
export function DashboardPanel() {
  const { editor, models, profiles } = useEditing();
  const document = useEditor(editor, state => state.document);
  const page = useEditor(editor, state => state.page);
  const { pages } = document;
  const set = (key: string, value: unknown, name: string) => editor.apply(name, [setKey([key], value)], key);
  const movePage = (from: number, to: number) => {
    editor.apply(words.steps.page, [{ kind: 'move', path: ['pages', from], to }]);
    editor.goTo(to);
  };
  return (
    <>
      <Section title={words.panels.page}>
        <TextField
          label={words.page.title}
          value={document.title}
          onChange={title => title !== '' && set('title', title, words.steps.title)}
        />
        <TextField
          label={words.page.description}
          value={document.description ?? ''}
          onChange={description => set('description', description, words.steps.setting)}
        />
        <InlineSelect
          label={words.page.model}
          value={document.model ?? ''}
          options={[
            ...(document.model ? [] : [{ value: '', label: '–' }]),
            ...models.map(({ name, label }) => ({ value: name, label })),
            ...(document.model && !models.some(({ name }) => name === document.model)
              ? [{ value: document.model, label: document.model }]
              : []),
          ]}
          onChange={model => model !== '' && set('model', model, words.steps.model)}
        />
      </Section>
      <Section title={words.page.pages}>
        {pages.map((one, i) => (
          <div key={i} className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              <TextField
                label={`${i + 1}`}
                value={one.title}
                onChange={title =>
                  title !== '' &&
                  editor.apply(
                    words.steps.page,
                    [{ kind: 'set', path: ['pages', i, 'title'], value: title }],
                    `page:${i}`,
                  )
                }
              />
            </div>
            {i > 0 ? (
              <IconButton label={words.page.up(one.title)} onPress={() => movePage(i, i - 1)}>
                <ArrowUp size={14} aria-hidden />
              </IconButton>
            ) : null}
            {i < pages.length - 1 ? (
              <IconButton label={words.page.down(one.title)} onPress={() => movePage(i, i + 1)}>
                <ArrowDown size={14} aria-hidden />
              </IconButton>
            ) : null}
            {pages.length > 1 ? (
              <IconButton
                label={words.page.remove(one.title)}
                onPress={() => {
                  editor.goTo(Math.min(page, pages.length - 2));
                  editor.apply(words.steps.page, [{ kind: 'remove', path: ['pages', i] }]);
                }}
              >
                <X size={14} aria-hidden />
              </IconButton>
            ) : null}
          </div>
        ))}
        <Button
          onPress={() => {
            editor.apply(words.steps.page, [
              {
                kind: 'insert',
                path: ['pages', pages.length],
                value: { title: freeTitle(pages.map(one => one.title)), tiles: {} },
              },
            ]);
            editor.goTo(pages.length);
          }}
        >
          <Plus size={14} aria-hidden />
          {words.page.addPage}
        </Button>
      </Section>
      {profiles ? (
        <Section title={words.page.filters}>
          <FilterList filters={document.filters ?? []} path={['filters']} profiles={profiles} />
        </Section>
      ) : null}
      {profiles ? (
        <Section title={words.parameters.title}>
          <ParameterList parameters={document.parameters ?? {}} profiles={profiles} />
        </Section>
      ) : null}
      <ThemeSection />
      <CalendarSection />
      <Place />
    </>
  );
}

/** The dashboard's file name and folder, with buttons to move and remove it. */
function Place() {
  const { editor } = useEditing();
  const navigate = useNavigate();
  const { title } = useEditor(editor, state => state.document);
  const [typed, setTyped] = useState(editor.id);
  const [error, setError] = useState<string>();
  const [isRemoving, setIsRemoving] = useState(false);
  const tell = (problem: unknown) => setError(problemText(problem));
  const move = async () => {
    try {
      await client.moveDashboard({ params: { id: editor.id }, body: { to: typed.trim() } });
      await queryClient.invalidateQueries({ queryKey: ['workspace'] });
      await navigate({ to: '/d/$dashboard/edit', params: { dashboard: typed.trim() } });
    } catch (problem) {
      tell(problem);
    }
  };
  const remove = async () => {
    try {
      const { number } = await client.removeDashboard({ params: { id: editor.id } });
      await offerRestore(title, number);
      await navigate({ to: '/' });
    } catch (problem) {
      tell(problem);
    }
  };
  return (
    <Section title={editor.file}>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={words.page.position}
            value={typed}
            onChange={value => {
              setTyped(value);
              setError(undefined);
            }}
            {...(error !== undefined && { error })}
          />
        </div>
        <Button isDisabled={typed.trim() === '' || typed.trim() === editor.id} onPress={() => void move()}>
          {words.page.move}
        </Button>
      </div>
      <Button onPress={() => setIsRemoving(true)}>
        <Trash2 size={14} aria-hidden />
        {words.page.removeDashboard}
      </Button>
      <Modal
        label={words.page.removeTitle}
        isOpen={isRemoving}
        onOpenChange={setIsRemoving}
        className="max-w-md"
      >
        <div className="flex flex-col gap-3 p-5">
          <h2 className="text-15 font-semibold">{words.page.removeTitle}</h2>
          <p className="text-text-2">{words.page.removeText}</p>
          <div className="flex justify-end gap-2">
            <Button onPress={() => setIsRemoving(false)}>{words.cancel}</Button>
            <Button look="primary" onPress={() => void remove()}>
              {words.page.removeDashboard}
            </Button>
          </div>
        </div>
      </Modal>
    </Section>
  );
}

function freeTitle(titles: readonly string[]): string {
  for (let count = titles.length + 1; ; count++)
    if (!titles.includes(words.page.newPage(count))) return words.page.newPage(count);
}
