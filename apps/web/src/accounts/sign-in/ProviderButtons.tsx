import type { ProviderName } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { LogIn } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { visitInWindow, visitProvider } from './provider-visit.ts';

type Begin = (provider: string) => Promise<{ readonly address: string }>;

interface ProviderButtonsProps {
  readonly providers: readonly ProviderName[];
  readonly begin: Begin;
  /** The text of a button. */
  readonly label?: (name: string) => string;
  /** Where to go afterwards, in this tab. */
  readonly next: string;
}

/** A button for each provider, which leads to its page. */
export function ProviderButtons({ providers, begin, label, next }: ProviderButtonsProps) {
  return (
    <Buttons
      providers={providers}
      label={label}
      visit={async id => visitProvider((await begin(id)).address, next)}
    />
  );
}

interface ProviderWindowsProps {
  readonly providers: readonly ProviderName[];
  readonly begin: Begin;
  readonly onDone: () => void;
}

/** A button for each provider, which opens its page in a window, so that nothing on this page is lost. */
export function ProviderWindows({ providers, begin, onDone }: ProviderWindowsProps) {
  const ended = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    ended.current = controller;
    return () => controller.abort();
  }, []);
  return (
    <Buttons
      providers={providers}
      visit={async id => {
        if (await visitInWindow(() => begin(id), ended.current.signal)) onDone();
      }}
    />
  );
}

function Buttons({
  providers,
  label = words.provider.continueWith,
  visit,
}: {
  readonly providers: readonly ProviderName[];
  readonly label?: ((name: string) => string) | undefined;
  readonly visit: (id: string) => Promise<void>;
}) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<string>();
  const open = async (id: string) => {
    setProblem(undefined);
    setBusy(id);
    try {
      await visit(id);
    } catch (error) {
      setProblem(problemText(error));
    }
    setBusy(undefined);
  };
  return (
    <div className="flex flex-col gap-2">
      <FormProblem problem={problem} />
      {providers.map(({ id, name }) => (
        <Button key={id} className="justify-center" isDisabled={busy === id} onPress={() => void open(id)}>
          <LogIn size={15} aria-hidden />
          <span className="truncate">{label(name)}</span>
        </Button>
      ))}
    </div>
  );
}

/** Between ways to sign in. */
export function Or() {
  return (
    <p className="flex items-center gap-3 py-3 text-12 text-text-2">
      <span className="h-px flex-1 bg-border" aria-hidden />
      {words.provider.or}
      <span className="h-px flex-1 bg-border" aria-hidden />
    </p>
  );
}
