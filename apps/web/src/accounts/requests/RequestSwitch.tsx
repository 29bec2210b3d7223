import { refreshAccessRequests, useAccessRequests } from '../../data/session/access-requests.ts';
import { client } from '../../data/server.ts';
import { words } from '../messages/words.ts';
import { OwnerSwitch } from '../OwnerSwitch.tsx';

/** Whether users may ask for access. */
export function RequestSwitch() {
  const { data } = useAccessRequests();
  if (!data) return null;
  const set = async (isOn: boolean) => {
    await client.switchAccessRequests({ body: { isOn } });
    await refreshAccessRequests();
  };
  return (
    <OwnerSwitch
      title={words.requests.title}
      label={words.requests.allowAsking}
      hint={words.requests.switchHint}
      isOn={data.isOn}
      onChange={set}
    />
  );
}
