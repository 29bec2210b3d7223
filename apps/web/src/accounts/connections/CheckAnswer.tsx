import { words } from '../messages/words.ts';

/** What a provider answered to a check. */
export interface Checked {
  readonly result: 'ok' | 'unavailable' | 'invalid';
  readonly detail?: string | undefined;
}

export function CheckAnswer({ checked: { result, detail } }: { readonly checked: Checked }) {
  return (
    <span
      className={`block rounded-control px-3 py-2 text-13 ${result === 'ok' ? 'bg-good-weak text-good' : 'bg-bad-weak text-bad'}`}
    >
      {words.providers.results[result]}
      {detail === undefined ? null : <span className="block wrap-anywhere">{detail}</span>}
    </span>
  );
}
