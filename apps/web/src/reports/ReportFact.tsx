import type { ReactNode } from 'react';

/** A line of the facts about a report, in a `dl`. */
export function ReportFact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-text-2 max-sm:pt-1">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
