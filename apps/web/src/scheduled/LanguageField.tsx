import { InlineSelect } from '@belvedere/ui';
import { languages } from '../messages/messages.ts';
import { words } from './messages/words.ts';

interface LanguageFieldProps {
  /** A language tag; the workspace's language if undefined. */
  readonly locale: string | undefined;
  readonly onChange: (locale: string | undefined) => void;
}

/** The language in which a report or the messages of an alert are sent. */
export function LanguageField({ locale = '', onChange }: LanguageFieldProps) {
  const known = Object.entries(languages).map(([value, label]) => ({ value, label }));
  // A tag that was written as text, such as `de-CH`.
  const isOther = locale !== '' && known.every(({ value }) => value !== locale);
  return (
    <div className="max-w-60">
      <InlineSelect
        label={words.language}
        value={locale}
        options={[
          { value: '', label: words.workspaceLanguage },
          ...known,
          ...(isOther ? [{ value: locale, label: locale }] : []),
        ]}
        onChange={value => onChange(value === '' ? undefined : value)}
      />
    </div>
  );
}
