import { Checkbox } from '@belvedere/ui';
import { client, useSession } from '../../data/server.ts';
import { useTwoFactor } from '../account-data.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';

/** Whether everyone needs a second factor: owners change it, admins see it. */
export function TwoFactorRequirement({ isRequired }: { readonly isRequired: boolean }) {
  const { data: session } = useSession();
  const { data: own } = useTwoFactor();
  const { change, isBusy, problem } = useChange();
  const hasOwn = own !== undefined && (own.isOn || own.passkeys.length > 0);
  if (session?.role !== 'owner' && !isRequired) return null;
  return (
    <section aria-label={words.twoFactor.requirement} className="mt-8">
      <h2 className="pb-1 text-14 font-semibold">{words.twoFactor.requirement}</h2>
      <FormProblem problem={problem} />
      {session?.role === 'owner' ? (
        <>
          <Checkbox
            isSelected={isRequired}
            isDisabled={isBusy || (!isRequired && !hasOwn)}
            onChange={next => void change(() => client.requireTwoFactor({ body: { isRequired: next } }))}
          >
            {words.twoFactor.require}
          </Checkbox>
          <p className="px-1.5 text-12 text-text-2">
            {hasOwn || isRequired ? words.twoFactor.requirementHint : words.twoFactor.needsOwn}
          </p>
        </>
      ) : (
        <p className="text-text-2">{words.twoFactor.required}</p>
      )}
    </section>
  );
}
