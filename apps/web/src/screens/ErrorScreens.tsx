import { ApiError, problemMessage } from '@belvedere/api';
import { Button, ChunkLoadError } from '@belvedere/ui';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { connection } from '../data/connection/connection.ts';
import { viewedAs } from '../data/session/view-as.ts';
import { t } from '../messages/messages.ts';

interface FaultProps {
  readonly title: string;
  readonly text: string;
  readonly original?: string | undefined;
  readonly action: string;
  readonly onAction: () => void;
  readonly children?: ReactNode;
}

function Fault({ title, text, original, action, onAction, children }: FaultProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-5 py-24 text-center">
      <h1 className="text-20 font-semibold">{title}</h1>
      <p className="text-text-2">{text}</p>
      {original ? (
        <p lang="en" className="text-13 text-text-3">
          {original}
        </p>
      ) : null}
      <Button look="primary" className="mt-3" onPress={onAction}>
        {action}
      </Button>
      {children}
    </div>
  );
}

/** @param props `children`: what else can be done about it */
export function NotFoundScreen({ children }: { readonly children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <Fault
      title={t.errors.notFoundTitle}
      text={viewedAs === undefined ? t.errors.notFoundText : t.viewAs.notFound}
      action={t.errors.goHome}
      onAction={() => void navigate({ to: '/' })}
    >
      {children}
    </Fault>
  );
}

/** Instead of a screen of teams where the server has no accounts. */
export function NoAccountsScreen() {
  const navigate = useNavigate();
  return (
    <Fault
      title={t.errors.noAccountsTitle}
      text={t.errors.noAccountsText}
      action={t.errors.goHome}
      onAction={() => void navigate({ to: '/' })}
    />
  );
}

/**
 * @param props `reset`: renders the screen again. One that waits to be fetched is, once the server answers
 * again; to load the page while it is not would leave nothing.
 */
export function ErrorScreen({ error, reset }: { readonly error: unknown; readonly reset?: () => void }) {
  const again = error instanceof ChunkLoadError && error.isWaiting ? reset : undefined;
  useEffect(() => (again ? connection.onReachable(again) : undefined), [again]);
  if (error instanceof ApiError && error.problem.status === 404) return <NotFoundScreen />;
  const said = error instanceof ApiError ? problemMessage(error.problem, t.problems) : undefined;
  const isUnreachable =
    error instanceof ChunkLoadError || (error instanceof TypeError && /fetch/i.test(error.message));
  return (
    <Fault
      title={said?.title ?? t.errors.brokenTitle}
      text={said?.text ?? (isUnreachable ? t.errors.unreachable : t.errors.brokenText)}
      original={said?.original}
      action={t.errors.reload}
      onAction={again ?? (() => location.reload())}
    />
  );
}
