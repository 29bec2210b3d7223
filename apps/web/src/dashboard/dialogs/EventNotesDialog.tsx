import type { EventNote, NewEventNote } from '@belvedere/api';
import { addUnits, formatCalendarTime, parseCalendarTime } from '@belvedere/query';
import { Button, IconButton, Modal, TextField } from '@belvedere/ui';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';
import { describeEvent } from '../tiles/describe.ts';

interface NotesDialogProps {
  readonly dashboard: string;
  readonly notes: readonly EventNote[];
  /** The selected period, which the new note is most likely about. */
  readonly stretch: { readonly from: string; readonly below: string } | undefined;
  readonly onClose: () => void;
}

/** The event notes on time charts: lists, adds, changes and deletes them. */
export function EventNotesDialog({ dashboard, notes, stretch, onClose }: NotesDialogProps) {
  const [changing, setChanging] = useState<EventNote>();
  // Changes with each save, which resets the form.
  const [round, setRound] = useState(0);
  const [removed, setRemoved] = useState<EventNote>();
  const [error, setError] = useState<string>();
  const attempt = async (work: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await work();
      return true;
    } catch (problem) {
      setError(problemText(problem));
      return false;
    }
  };
  const remove = async (note: EventNote) => {
    if (await attempt(() => client.removeEventNote({ params: { id: dashboard, note: note.id } })))
      setRemoved(note);
    if (changing?.id === note.id) setChanging(undefined);
  };
  const save = async (note: NewEventNote) => {
    const isSaved = await attempt(() =>
      changing
        ? client.updateEventNote({
            params: { id: dashboard, note: changing.id },
            body: note,
            ifMatch: changing.at,
          })
        : client.addEventNote({ params: { id: dashboard }, body: note }),
    );
    if (!isSaved) return;
    setChanging(undefined);
    setRound(round + 1);
  };
  return (
    <Modal label={t.notes.title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-lg">
      <div className="flex max-h-[80vh] flex-col gap-4 overflow-y-auto p-5">
        <div>
          <h2 className="text-15 font-semibold">{t.notes.title}</h2>
          <p className="text-12 text-text-2">{t.notes.hint}</p>
        </div>
        {notes.length > 0 ? (
          <ul aria-label={t.notes.title} className="overflow-hidden rounded-tile border border-border">
            {notes.map(note => (
              <li
                key={note.id}
                className={`flex items-start gap-2 border-b border-border px-3 py-1.5 last:border-0 ${changing?.id === note.id ? 'bg-accent-weak' : ''}`}
              >
                <div className="min-w-0 flex-1">
                  <p className="tabular text-12 text-text-2">
                    {[describeEvent(note), note.author].filter(Boolean).join(' · ')}
                  </p>
                  <p className="text-13 break-words">{note.text}</p>
                </div>
                <IconButton label={t.notes.change(note.text)} onPress={() => setChanging(note)}>
                  <Pencil size={14} aria-hidden />
                </IconButton>
                <IconButton label={t.notes.remove(note.text)} onPress={() => void remove(note)}>
                  <Trash2 size={14} aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        ) : null}
        {removed ? (
          <p role="status" className="flex items-center gap-2 text-12 text-text-2">
            {t.notes.removed(removed.text)}
            <Button
              look="quiet"
              onPress={() =>
                void attempt(() =>
                  client.addEventNote({
                    params: { id: dashboard },
                    body: {
                      from: removed.from,
                      ...(removed.below !== undefined && { below: removed.below }),
                      text: removed.text,
                    },
                  }),
                ).then(isBack => isBack && setRemoved(undefined))
              }
            >
              {t.notes.undo}
            </Button>
          </p>
        ) : null}
        <NoteForm
          key={changing?.id ?? `new ${round}`}
          given={
            changing ?? {
              ...(round === 0 && !notes.some(note => note.from === stretch?.from) && stretch),
              text: '',
            }
          }
          isNew={!changing}
          error={error}
          onSave={save}
          onCancel={changing ? () => setChanging(undefined) : onClose}
        />
      </div>
    </Modal>
  );
}

interface NoteFormProps {
  readonly given: { readonly from?: string; readonly below?: string | undefined; readonly text: string };
  readonly isNew: boolean;
  readonly error: string | undefined;
  readonly onSave: (note: NewEventNote) => Promise<void>;
  readonly onCancel: () => void;
}

/** Users enter the last day of a period; the first day after it is saved. */
function NoteForm({ given, isNew, error, onSave, onCancel }: NoteFormProps) {
  const isOfDays = ![given.from, given.below].some(edge => edge?.includes('T'));
  const shift = (edge: string, days: number) =>
    isOfDays ? formatCalendarTime(addUnits('day', parseCalendarTime(edge), days)) : edge;
  const whole = (edge: string) =>
    isOfDays
      ? formatCalendarTime(parseCalendarTime(edge))
      : formatCalendarTime(parseCalendarTime(edge)).padEnd(16, 'T00:00').slice(0, 16);
  const [from, setFrom] = useState(given.from === undefined ? '' : whole(given.from));
  const [last, setLast] = useState(
    given.below === undefined || shift(given.below, -1) === given.from ? '' : shift(whole(given.below), -1),
  );
  const [text, setText] = useState(given.text);
  const isOrdered = last === '' || last >= from;
  const isWhole = from !== '' && text.trim() !== '' && isOrdered;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={event => {
        event.preventDefault();
        if (isWhole)
          void onSave({
            from,
            ...(last !== '' && last !== from && { below: shift(last, 1) }),
            text: text.trim(),
          });
      }}
    >
      <h3 className="text-13 font-semibold">{isNew ? t.notes.add : t.notes.changeTitle}</h3>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          type={isOfDays ? 'date' : 'datetime-local'}
          label={t.notes.from}
          value={from}
          onChange={setFrom}
        />
        <TextField
          type={isOfDays ? 'date' : 'datetime-local'}
          label={t.notes.to}
          value={last}
          onChange={setLast}
          {...(!isOrdered && { error: t.notes.order })}
        />
      </div>
      <TextField
        label={t.notes.what}
        maxLength={300}
        value={text}
        onChange={setText}
        autoFocus
        {...(error !== undefined && { error })}
      />
      <div className="flex justify-end gap-2">
        <Button onPress={onCancel}>{t.cancel}</Button>
        <Button look="primary" type="submit" isDisabled={!isWhole}>
          {t.notes.save}
        </Button>
      </div>
    </form>
  );
}
