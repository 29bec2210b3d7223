import type { ChannelSettings } from '@belvedere/api';
import { Button, StateChip } from '@belvedere/ui';
import { useState } from 'react';
import { FormProblem } from '../accounts/FormProblem.tsx';
import { useChange } from '../accounts/use-change.ts';
import { client } from '../data/server.ts';
import { words } from './messages/words.ts';

interface ChannelListProps {
  readonly channels: readonly ChannelSettings[];
  readonly onEdit: (channel: ChannelSettings) => void;
}

/** What a target answered to a test. */
interface Tested {
  readonly channel: string;
  readonly isSent: boolean;
  readonly detail: string;
}

/** The channels, and the ways to test, change and delete them. */
export function ChannelList({ channels, onEdit }: ChannelListProps) {
  const [doubted, setDoubted] = useState<string>();
  const [testing, setTesting] = useState<string>();
  const [tested, setTested] = useState<Tested>();
  const { change, isBusy, problem } = useChange();
  if (channels.length === 0) return <p className="py-2 text-text-2">{words.empty}</p>;
  const test = async (channel: string) => {
    setTesting(channel);
    setTested(undefined);
    await change(async () => setTested({ channel, ...(await client.testChannel({ params: { channel } })) }));
    setTesting(undefined);
  };
  return (
    <>
      <FormProblem problem={problem} />
      <ul className="my-2 rounded-tile border border-border bg-surface">
        {channels.map(channel => (
          <li
            key={channel.name}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-3 py-2 last:border-0"
          >
            <ChannelFacts channel={channel} />
            {doubted === channel.name ? (
              <span className="flex flex-wrap items-center gap-2">
                <span className="text-12 text-text-2">{words.removeHint}</span>
                <Button onPress={() => setDoubted(undefined)}>{words.dialog.cancel}</Button>
                <Button
                  look="primary"
                  isDisabled={isBusy}
                  onPress={() =>
                    void change(() => client.removeChannel({ params: { channel: channel.name } })).then(() =>
                      setDoubted(undefined),
                    )
                  }
                >
                  {words.remove}
                </Button>
              </span>
            ) : (
              <span className="flex flex-wrap">
                <Button
                  look="quiet"
                  isDisabled={testing !== undefined || channel.state === 'off'}
                  aria-label={words.testOf(channel.name)}
                  onPress={() => void test(channel.name)}
                >
                  {testing === channel.name ? words.testing : words.test}
                </Button>
                <Button look="quiet" aria-label={words.editOf(channel.name)} onPress={() => onEdit(channel)}>
                  {words.edit}
                </Button>
                <Button
                  look="quiet"
                  aria-label={words.removeOf(channel.name)}
                  onPress={() => setDoubted(channel.name)}
                >
                  {words.remove}
                </Button>
              </span>
            )}
            <span role="status" className="w-full empty:hidden">
              {tested?.channel === channel.name ? <TestAnswer tested={tested} /> : null}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function TestAnswer({ tested: { isSent, detail } }: { readonly tested: Tested }) {
  return (
    <span
      className={`block rounded-control px-3 py-2 text-13 ${isSent ? 'bg-good-weak text-good' : 'bg-bad-weak text-bad'}`}
    >
      {isSent ? words.testSent : words.testFailed}
      <span className="block whitespace-pre-line wrap-anywhere">
        {detail.split('\n').map(reasonOfLine).join('\n')}
      </span>
    </span>
  );
}

/** Each address has a line, which begins with it. */
function reasonOfLine(line: string): string {
  const [, address, reason] = /^(\S+@\S+): (.*)$/.exec(line) ?? [];
  return address === undefined ? words.reasonText(line) : `${address}: ${words.reasonText(reason!)}`;
}

function ChannelFacts({ channel }: { readonly channel: ChannelSettings }) {
  const { name, addresses, template, host, limits, createdBy, state, offReason } = channel;
  const { perHour, groupSeconds, quiet } = limits;
  return (
    <span className="min-w-0 flex-1 basis-60 max-sm:basis-full">
      <span className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
        <StateChip tone="neutral">{words.kinds[template ?? 'mail']}</StateChip>
        {state === 'active' ? null : <StateChip tone="warn">{words.off}</StateChip>}
      </span>
      <span className="block text-12 wrap-anywhere text-text-2">
        {[
          addresses?.join(', ') ?? host,
          words.perHour(perHour),
          ...(groupSeconds > 0 ? [words.grouped(groupSeconds)] : []),
          ...(quiet ? [words.quietFrom(quiet.from, quiet.to, quiet.zone)] : []),
          createdBy,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {offReason === undefined ? null : (
        <span className="block text-12 wrap-anywhere text-text">{words.reasonText(offReason)}</span>
      )}
    </span>
  );
}
