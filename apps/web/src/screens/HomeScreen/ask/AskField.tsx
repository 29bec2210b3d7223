import { readPhrase } from '@belvedere/query';
import { Button } from '@belvedere/ui';
import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { useSession } from '../../../data/server.ts';
import { t } from '../../../messages/messages.ts';
import { usePhraseModels } from '../../../phrases/use-phrase-models.ts';
import { useOpenPalette } from '../../../shell/palette/palette-context.ts';
import { examplesOf } from './example-phrases.ts';

/** Where a chart is asked for by name; what is typed goes on in the palette. */
export function AskField() {
  const open = useOpenPalette();
  const { phraseModels } = usePhraseModels({ isEnabled: true, withValues: false });
  const calendar = useSession().data?.workspace.calendar;
  const examples = useMemo(
    () =>
      calendar
        ? examplesOf(phraseModels, t.phrases).filter(
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
