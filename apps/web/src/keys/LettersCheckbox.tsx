import { Checkbox } from '@belvedere/ui';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { areLetterKeysOn, setLetterKeys } from './keys.ts';

/** Turns single-letter shortcuts on or off, in this browser. */
export function LettersCheckbox() {
  const [letters, setLetters] = useState(areLetterKeysOn);
  return (
    <Checkbox
      isSelected={letters}
      onChange={isOn => {
        setLetterKeys(isOn);
        setLetters(isOn);
      }}
    >
      {t.keys.letters}
    </Checkbox>
  );
}
