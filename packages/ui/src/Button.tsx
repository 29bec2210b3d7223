import type { Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';

export interface ButtonProps extends AriaButtonProps {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly look?: 'plain' | 'quiet' | 'primary' | 'pill';
}

const looks = {
  plain: 'border border-border bg-surface hover:bg-hover text-text',
  quiet: 'hover:bg-hover text-text-2 hover:text-text',
  primary: 'bg-accent text-on-accent font-medium hover:brightness-110',
  pill: 'border border-border bg-surface hover:border-border-strong text-text',
};

/** A button 30 px tall, 44 px on touch screens. */
export function Button({ look = 'plain', className = '', ...props }: ButtonProps) {
  return (
    <AriaButton
      {...props}
      className={`inline-flex h-[30px] shrink-0 items-center gap-1.5 rounded-control px-2.5 text-13 whitespace-nowrap transition-colors data-[disabled]:opacity-50 pointer-coarse:h-11 ${looks[look]} ${className as string}`}
    />
  );
}

/** An icon-only button; `label` is its accessible name. */
export function IconButton({ label, className = '', ...props }: ButtonProps & { readonly label: string }) {
  return (
    <Button
      {...props}
      look={props.look ?? 'quiet'}
      aria-label={label}
      className={`w-[30px] justify-center px-0! pointer-coarse:w-11 ${className as string}`}
    />
  );
}
