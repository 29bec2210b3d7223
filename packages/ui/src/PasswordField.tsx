import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { IconButton } from './Button.tsx';
import { FieldNotes } from './Fields.tsx';
import { uiTexts } from './ui-texts.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Tells password managers whether to fill in a password or to suggest one. */
  readonly autoComplete: 'current-password' | 'new-password';
  readonly autoFocus?: boolean;
  readonly hint?: string;
  readonly error?: string;
}

/** A password, with a button that shows it. */
export function PasswordField({ label, autoComplete, hint, error, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      name={autoComplete}
      autoComplete={autoComplete}
      maxLength={256}
      validationBehavior="aria"
      isInvalid={error !== undefined}
      className="flex min-w-0 flex-col gap-1"
    >
      <Label className="text-12 text-text-2">{label}</Label>
      <span className="relative block">
        <Input
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          className={
            'h-[30px] w-full min-w-0 rounded-control border border-border bg-surface ps-2 pe-9 text-13 ' +
            'text-text focus:border-accent data-[invalid]:border-bad pointer-coarse:h-11 ' +
            'pointer-coarse:pe-12'
          }
        />
        <span className="absolute inset-y-0 end-0">
          <IconButton
            label={isShown ? uiTexts.hidePassword : uiTexts.showPassword}
            aria-pressed={isShown}
            onPress={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOff size={15} aria-hidden /> : <Eye size={15} aria-hidden />}
          </IconButton>
        </span>
      </span>
      <FieldNotes hint={hint} error={error} />
    </TextField>
  );
}
