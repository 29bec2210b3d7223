import { useEffect, type ReactNode } from 'react';
import { t } from '../../messages/messages.ts';

interface PlainPageProps {
  /** The workspace's title, once it is known. */
  readonly workspace?: string | undefined;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children?: ReactNode;
}

/** A page without navigation: one card under the workspace's title. */
export function PlainPage({ workspace, title, hint, children }: PlainPageProps) {
  useEffect(() => {
    document.title = `${title} · ${t.product}`;
  }, [title]);
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[14vh] pb-10 max-sm:pt-8">
      <p className="flex max-w-full items-center gap-2 pb-5 text-15 font-semibold tracking-[-0.01em]">
        <img src="/icon.svg" alt="" className="size-6" />
        <span className="truncate">{workspace ?? t.product}</span>
      </p>
      <div className="w-full max-w-[380px] rounded-tile border border-border bg-surface p-6 max-sm:p-5">
        <h1 className="text-20 font-semibold tracking-[-0.01em]">{title}</h1>
        {hint ? <p className="pt-0.5 text-text-2">{hint}</p> : null}
        {children ? <div className="pt-4">{children}</div> : null}
      </div>
      {workspace === undefined || workspace === t.product ? null : (
        <p className="pt-4 text-12 text-text-3">{t.product}</p>
      )}
    </main>
  );
}
