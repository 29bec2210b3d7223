import { Checkbox } from '@belvedere/ui';
import { refreshAccessRequests, useAccessRequests } from '../../data/access-requests.ts';
import { client, useSession } from '../../data/server.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';

/** Whether users may ask for access: owners change it. */
export function RequestSwitch() {
  const isOwner = useSession().data?.role === 'owner';
  const { data } = useAccessRequests();
  const { change, isBusy, problem } = useChange();
  if (!isOwner || !data) return null;
  const set = (isOn: boolean) =>
    void change(async () => {
      await client.switchAccessRequests({ body: { isOn } });
      await refreshAccessRequests();
    });
  return (
    <section aria-label={words.requests.title} className="mt-8">
      <h2 className="pb-1 text-14 font-semibold">{words.requests.title}</h2>
      <FormProblem problem={problem} />
      <Checkbox isSelected={data.isOn} isDisabled={isBusy} onChange={set}>
        {words.requests.allowAsking}
      </Checkbox>
      <p className="px-1.5 text-12 text-text-2">{words.requests.switchHint}</p>
    </section>
  );
}
