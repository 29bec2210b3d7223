import { Checkbox } from '@belvedere/ui';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { areLettersHeard, hearLetters } from './keys.ts';

/** Turns single-letter shortcuts on or off, in this browser. */
export function LettersCheckbox() {
  const [letters, setLetters] = useState(areLettersHeard);
  return (
    <Checkbox
      isSelected={letters}
      onChange={isOn => {
        hearLetters(isOn);
        setLetters(isOn);
      }}
    >
      {t.keys.letters}
    </Checkbox>
  );
}
