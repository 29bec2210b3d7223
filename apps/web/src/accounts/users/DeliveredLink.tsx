import { LinkField } from '../CopyLink.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';

/** Where a link went: by mail, or to the admin, who passes it on. */
export interface Delivery {
  readonly mailedTo?: string | undefined;
  readonly link?: string | undefined;
  readonly mailProblem?: string | undefined;
}

interface DeliveredLinkProps {
  readonly delivery: Delivery;
  readonly label: string;
  /** What to do with a link. */
  readonly hint: string;
  /** What was mailed. */
  readonly mailed: (address: string) => string;
}

/** Shows to which address a link was mailed, or the link, and why it was not mailed. */
export function DeliveredLink({ delivery, label, hint, mailed }: DeliveredLinkProps) {
  const { mailedTo, link, mailProblem } = delivery;
  if (mailedTo !== undefined)
    return (
      <p role="status" className="text-text-2 wrap-anywhere">
        {mailed(mailedTo)}
      </p>
    );
  return (
    <>
      <FormProblem problem={mailProblem && words.mail.failed(mailProblem)} />
      <p role="status" className="text-text-2 wrap-anywhere">
        {hint}
      </p>
      <LinkField label={label} address={new URL(link ?? '', window.location.origin).href} />
    </>
  );
}
