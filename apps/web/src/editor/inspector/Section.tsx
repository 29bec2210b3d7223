import type { ReactNode } from 'react';

/** A part of the inspector with a heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2.5 border-b border-border p-3 last:border-0">
      <h2 className="text-12 font-semibold wrap-anywhere">{title}</h2>
      {children}
    </section>
  );
}
