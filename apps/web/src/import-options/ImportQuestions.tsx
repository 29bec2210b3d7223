import type { ImportQuestion, ImportOptions, TableDetail } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { Losses, SaveOptions } from './Losses.tsx';
import { MostlyTyped } from './MostlyTyped.tsx';
import { isImporting, useImportDecision } from './use-import-decision.ts';

/** More offers than these are no help. */
const maxOffers = 10;

/** What the import of a table left open, each with buttons to decide: ambiguous values, and values that do not fit. */
export function ImportQuestions({ table }: { readonly table: TableDetail }) {
  const { questions = [], nearly = [] } = table.report ?? {};
  if (questions.length + nearly.length === 0) return null;
  return (
    <div className="flex flex-col gap-3 text-text">
      {questions.map(question => (
        <Question key={question.kind} table={table} question={question} />
      ))}
      {nearly.slice(0, maxOffers).map(one => (
        <MostlyTyped key={one.column} table={table} nearly={one} />
      ))}
    </div>
  );
}

interface Choice {
  readonly label: string;
  readonly options: Pick<ImportOptions, 'dates' | 'decimal'>;
}

const choicesFor: Readonly<Record<ImportQuestion['kind'], () => readonly Choice[]>> = {
  'date order': () => [
    { label: t.importOptions.orders['day first'], options: { dates: 'day first' } },
    { label: t.importOptions.orders['month first'], options: { dates: 'month first' } },
  ],
  'decimal mark': () => [
    { label: '1,234.5', options: { decimal: '.' } },
    { label: '1.234,5', options: { decimal: ',' } },
  ],
};

/** Asks what the data cannot tell, with an example. */
function Question({
  table,
  question: { kind, columns, example },
}: {
  readonly table: TableDetail;
  readonly question: ImportQuestion;
}) {
  const decision = useImportDecision(table);
  const [chosen, setChosen] = useState<Choice['options']>();
  const answer = (options: Choice['options']) => {
    setChosen(options);
    decision.decide({ ...table.importOptions, ...options });
  };
  const question = t.importOptions.questions[kind](columns.join(', '), example);
  return (
    <section
      role="group"
      aria-label={question}
      className="flex flex-wrap items-center gap-3 rounded-tile border border-accent/60 bg-surface px-4 py-3"
    >
      <p className="min-w-0 flex-1 basis-64">{question}</p>
      <div className="flex flex-wrap gap-3">
        {choicesFor[kind]().map(({ label, options }) => (
          <Button
            key={label}
            onPress={() => answer(options)}
            isDisabled={decision.isChecking || isImporting(table)}
          >
            {label}
          </Button>
        ))}
      </div>
      {chosen && (decision.isChecking || decision.losses.length > 0) ? (
        <div className="flex basis-full flex-wrap items-center justify-end gap-2">
          <Losses losses={decision.losses} />
          <SaveOptions decision={decision} reading={{ ...table.importOptions, ...chosen }} />
        </div>
      ) : null}
    </section>
  );
}
