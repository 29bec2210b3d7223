import type { SourceSummary } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { ShieldQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { client, queryClient } from '../../data/server.ts';
import { t } from '../../messages/messages.ts';

interface ConfirmSourceProps {
  readonly name: string;
  readonly unconfirmed: NonNullable<SourceSummary['unconfirmed']>;
}

/** What a source would do, and the button that lets it. */
export function ConfirmSource({ name, unconfirmed: { access, content } }: ConfirmSourceProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const confirm = async () => {
    setIsBusy(true);
    setTrouble(undefined);
    await client
      .confirmSource({ params: { name }, body: { content } })
      .catch((error: unknown) => setTrouble(problemText(error)));
    // Where it has changed meanwhile, the page says what it would do now.
    await queryClient.invalidateQueries({ queryKey: ['workspace'] });
    setIsBusy(false);
  };
  return (
    <section
      aria-label={t.sources.states.unconfirmed}
      className="mt-3 rounded-tile border border-border bg-surface px-4 py-3"
    >
      <p className="flex items-start gap-2 text-text-2">
        <ShieldQuestionMark size={17} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        {t.sources.unconfirmed}
      </p>
      <p className="py-2 text-15 font-medium wrap-anywhere">{t.sources.access(access)}</p>
      <p className="pb-3 text-13 text-text-2">{t.sources.trustHint}</p>
      {trouble ? (
        <p role="alert" className="mb-3 rounded-control bg-bad-weak px-3 py-2 text-13 text-bad">
          {trouble}
        </p>
      ) : null}
      <Button look="primary" isDisabled={isBusy} onPress={() => void confirm()}>
        {isBusy ? t.sources.trying : t.sources.trust}
      </Button>
    </section>
  );
}
