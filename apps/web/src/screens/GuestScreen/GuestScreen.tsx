import { ApiError } from '@belvedere/api';
import { Button, PasswordField } from '@belvedere/ui';
import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { FormProblem } from '../../accounts/FormProblem.tsx';
import { words } from '../../accounts/messages/words.ts';
import { PlainPage } from '../../accounts/sign-in/PlainPage.tsx';
import { useForm } from '../../accounts/use-form.ts';
import { enterAsGuest, linkHasEnded } from '../../data/session/guest.ts';
import { problemText } from '../../data/problem-text.ts';
import { client, useGuestDashboard } from '../../data/server.ts';
import { forgetOpening, keepOpening, keptOpening } from './kept-opening.ts';
import { GuestDashboard } from './GuestDashboard.tsx';

/** Where a view that is not a link yet is tried: `/s/preview#token=…`. */
const previewAddress = 'preview';

/** A link that ends sooner than this after it was opened is not opened again by itself. */
const minOpenMs = 60_000;

type Opening =
  | { readonly step: 'opening' | 'open' | 'ended' | 'passphrase' }
  | { readonly step: 'failed'; readonly text: string };

type Access = Parameters<typeof enterAsGuest>[0];

const isType = (error: unknown, type: string) => error instanceof ApiError && error.problem.type === type;

function openingAfter(error: unknown): Opening {
  if (isType(error, 'link-ended')) return { step: 'ended' };
  if (isType(error, 'passphrase-needed')) return { step: 'passphrase' };
  return { step: 'failed', text: problemText(error) };
}

/** Enters with the token of a preview, or with what this tab has opened before. @returns whether there is one */
function isEntered(secret: string): boolean {
  const preview = new URLSearchParams(location.hash.slice(1));
  const token = preview.get('token');
  const access =
    secret !== previewAddress
      ? keptOpening(secret)
      : token === null
        ? undefined
        : { token, downloads: preview.get('downloads') === 'true' };
  if (access) enterAsGuest(access);
  return access !== undefined;
}

/** The page of a public link: opens it, asks for its passphrase, and says when it has ended. */
export function GuestScreen() {
  const { secret } = useParams({ from: '/s/$secret' });
  const [opening, setOpening] = useState<Opening>(() => ({
    step: isEntered(secret) ? 'open' : 'opening',
  }));
  const openedAt = useRef(-Infinity);
  const onOpened = useCallback(
    (access: Access) => {
      openedAt.current = performance.now();
      enterAsGuest(access);
      keepOpening(secret, access);
      setOpening({ step: 'open' });
    },
    [secret],
  );
  const isOpening = opening.step === 'opening';
  useEffect(() => {
    if (isOpening)
      client
        .openLink({ body: { secret } })
        .then(onOpened, (error: unknown) => setOpening(openingAfter(error)));
  }, [isOpening, secret, onOpened]);
  // An opening of long ago, or of before a reload, may have to be repeated; a link that has ended is not.
  useEffect(
    () =>
      linkHasEnded.subscribe(() => {
        if (!linkHasEnded.get()) return;
        const isKept = secret !== previewAddress && forgetOpening(secret);
        const isOld = performance.now() - openedAt.current > minOpenMs;
        setOpening({ step: isKept && isOld ? 'opening' : 'ended' });
      }),
    [secret],
  );

  switch (opening.step) {
    case 'opening':
      return (
        <p role="status" className="soon p-6 text-text-2">
          {words.guest.opening}
        </p>
      );
    case 'ended':
      return <PlainPage title={words.guest.ended} hint={words.guest.endedHint} />;
    case 'failed':
      return (
        <PlainPage title={words.guest.failed} hint={opening.text}>
          <Button onPress={() => setOpening({ step: 'opening' })}>{words.retry}</Button>
        </PlainPage>
      );
    case 'passphrase':
      return (
        <PassphraseForm
          open={async passphrase => onOpened(await client.openLink({ body: { secret, passphrase } }))}
          onEnded={() => setOpening({ step: 'ended' })}
        />
      );
    case 'open':
      return <Opened isPreview={secret === previewAddress} />;
  }
}

interface PassphraseFormProps {
  readonly open: (passphrase: string) => Promise<void>;
  readonly onEnded: () => void;
}

function PassphraseForm({ open, onEnded }: PassphraseFormProps) {
  const form = useForm({
    fields: ['passphrase'],
    check: (_, { passphrase }) => (passphrase === '' ? words.guest.passphraseNeeded : undefined),
    submit: ({ passphrase }) => open(passphrase),
    explain: error => {
      if (isType(error, 'link-ended')) onEnded();
      return isType(error, 'passphrase-wrong') ? words.guest.passphraseWrong : undefined;
    },
  });
  return (
    <PlainPage title={words.guest.passphraseTitle} hint={words.guest.passphraseHint}>
      <form noValidate className="flex flex-col gap-3" onSubmit={form.onSubmit}>
        <FormProblem problem={form.problem} />
        <PasswordField
          label={words.links.passphrase}
          autoComplete="new-password"
          autoFocus
          {...form.field('passphrase')}
        />
        <Button look="primary" type="submit" className="justify-center" isDisabled={form.isBusy}>
          {words.guest.open}
        </Button>
      </form>
    </PlainPage>
  );
}

function Opened({ isPreview }: { readonly isPreview: boolean }) {
  const { data, error, refetch } = useGuestDashboard();
  if (!data && error)
    return (
      <PlainPage title={words.guest.failed} hint={problemText(error)}>
        <Button onPress={() => void refetch()}>{words.retry}</Button>
      </PlainPage>
    );
  if (!data)
    return (
      <p role="status" className="soon p-6 text-text-2">
        {words.guest.opening}
      </p>
    );
  return (
    <GuestDashboard
      dashboard={data}
      notice={
        isPreview ? (
          <p role="status" className="mb-2 rounded-control bg-accent-weak px-3 py-1.5 text-accent-text">
            {words.guest.preview}
          </p>
        ) : null
      }
    />
  );
}
