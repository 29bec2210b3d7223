import { Button } from '@belvedere/ui';
import { Check, Link as LinkIcon } from 'lucide-react';
import { useState } from 'react';
import { copyLink } from '../downloads/copy.ts';
import { words } from './messages/words.ts';

/** Copies an address. Where the browser does not allow it, it says so. */
export function CopyLinkButton({
  address,
  look = 'plain',
  label = words.copy,
}: {
  readonly address: string;
  readonly look?: 'plain' | 'primary';
  readonly label?: string;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = () =>
    void copyLink(address).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button look={look} onPress={copy}>
        {state === 'copied' ? <Check size={15} aria-hidden /> : <LinkIcon size={15} aria-hidden />}
        {state === 'copied' ? words.copied : label}
      </Button>
      <span role="status" className={state === 'failed' ? 'text-12 text-bad' : 'sr-only'}>
        {state === 'failed' ? words.notCopied : state === 'copied' ? words.copied : ''}
      </span>
    </span>
  );
}

/** A link to pass on by hand, or another secret that is shown once. */
export function LinkField({
  label,
  address,
  copy,
}: {
  readonly label: string;
  readonly address: string;
  /** The text of the button; “Copy link” unless given. */
  readonly copy?: string;
}) {
  return (
    <div className="flex flex-col gap-2">
      <label className="flex flex-col gap-1">
        <span className="text-12 text-text-2">{label}</span>
        <input
          readOnly
          value={address}
          onFocus={event => event.currentTarget.select()}
          className="h-[30px] w-full rounded-control border border-border bg-canvas px-2 font-mono text-12 pointer-coarse:h-11"
        />
      </label>
      <CopyLinkButton address={address} look="primary" {...(copy !== undefined && { label: copy })} />
    </div>
  );
}
