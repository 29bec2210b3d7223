import { Checkbox } from '@belvedere/ui';
import { useSession } from '../data/server.ts';
import { FormProblem } from './FormProblem.tsx';
import { useChange } from './use-change.ts';

interface OwnerSwitchProps {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => Promise<unknown>;
}

/** A setting of the team that only owners see and change. */
export function OwnerSwitch({ title, label, hint, isOn, onChange }: OwnerSwitchProps) {
  const isOwner = useSession().data?.role === 'owner';
  const { change, isBusy, problem } = useChange();
  if (!isOwner) return null;
  return (
    <section aria-label={title} className="mt-8">
      <h2 className="pb-1 text-14 font-semibold">{title}</h2>
      <FormProblem problem={problem} />
      <Checkbox isSelected={isOn} isDisabled={isBusy} onChange={next => void change(() => onChange(next))}>
        {label}
      </Checkbox>
      <p className="px-1.5 text-12 text-text-2">{hint}</p>
    </section>
  );
}
