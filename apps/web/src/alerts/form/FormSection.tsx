import type { ReactNode } from 'react';

/** A titled section of a form. */
export function FormSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-13 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
