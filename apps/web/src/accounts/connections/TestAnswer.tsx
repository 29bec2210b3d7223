import { words as channelWords } from '../../channels/messages/words.ts';
import { words } from '../messages/words.ts';

/** What the mail server answered to a test message. */
export interface TestedMail {
  readonly isSent: boolean;
  readonly to: string;
  readonly detail: string;
}

export function TestAnswer({ tested: { isSent, to, detail } }: { readonly tested: TestedMail }) {
  return (
    <span
      className={`block rounded-control px-3 py-2 text-13 wrap-anywhere ${isSent ? 'bg-good-weak text-good' : 'bg-bad-weak text-bad'}`}
    >
      {isSent ? words.mailServer.sentTo(to) : channelWords.testFailed}
      <span className="block">{channelWords.reasonText(detail)}</span>
    </span>
  );
}
