import { isTemporal } from '@belvedere/model';
import { readPhrase, type PhraseModel } from '@belvedere/query';
import { Button } from '@belvedere/ui';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { useSession } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';
import { usePhraseModels } from '../../phrases/use-phrase-models.ts';
import { useOpenPalette } from '../../shell/palette-context.ts';

/** Where a chart is asked for by name; what is typed goes on in the palette. */
export function AskField() {
  const open = useOpenPalette();
  const { phraseModels } = usePhraseModels({ isEnabled: true, withValues: false });
  const calendar = useSession().data?.workspace.calendar;
  const examples = useMemo(
    () =>
      calendar
        ? examplesOf(phraseModels).filter(
            phrase => readPhrase(phrase, phraseModels, calendar)[0]?.unknown.length === 0,
          )
        : [],
    [phraseModels, calendar],
  );
  return (
    <div className="mt-4">
      <button
        type="button"
        onClick={() => open('')}
        onKeyDown={event => {
          const isLetter = [...event.key].length === 1 && event.key !== ' ';
          if (!isLetter || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          open(event.key);
        }}
        className={
          'flex h-11 w-full cursor-text items-center gap-2.5 rounded-tile border border-border ' +
          'bg-surface px-4 text-14 text-text-2 hover:border-border-strong'
        }
      >
        <Search size={16} aria-hidden className="shrink-0 text-text-3" />
        <span className="truncate">{t.phrases.ask}</span>
      </button>
      {examples.length > 0 ? (
        <p className="flex flex-wrap items-center gap-x-1 pt-1.5 text-12 text-text-3">
          {t.phrases.examples}
          {examples.map(phrase => (
            <Button key={phrase} look="quiet" className="h-6! px-1.5! text-12!" onPress={() => open(phrase)}>
              {phrase}
            </Button>
          ))}
        </p>
      ) : null}
    </div>
  );
}

/** Phrases that the largest model with a time and a category can show. */
function examplesOf(models: readonly PhraseModel[]): readonly string[] {
  const [model] = models
    .filter(({ time }) => time !== undefined)
    .toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0));
  if (!model) return [];
  const measures = model.fields.filter(({ type, name }) => type === undefined && name !== 'rows');
  const measure = measures[0] ?? model.fields.find(({ type }) => type === undefined);
  const categories = model.fields.filter(
    ({ type, profile }) => type === 'text' && (profile?.distinct ?? 0) > 1 && profile!.distinct <= 200,
  );
  const time = model.fields.find(({ name }) => name === model.time);
  const many = categories.toSorted((a, b) => b.profile!.distinct - a.profile!.distinct)[0];
  if (!measure) return [];
  return [
    ...(categories[0] ? [t.phrases.example(measure.label, categories[0].label)] : []),
    ...(time?.type && isTemporal(time.type) ? [t.phrases.exampleOverTime(measure.label)] : []),
    ...(many && many !== categories[0] ? [t.phrases.exampleTop(measure.label, many.label)] : []),
  ];
}
