import type { ExternalSetting } from '@belvedere/api';
import { Button } from '@belvedere/ui';
import { ShieldQuestionMark } from 'lucide-react';
import { words } from '../../../accounts/messages/words.ts';
import { useSession } from '../../../data/server.ts';

interface UnconfirmedSettingsProps {
  readonly settings: readonly ExternalSetting[];
  readonly isBusy: boolean;
  readonly onConfirm: (setting: ExternalSetting) => void;
}

/** The settings of `belvedere.yaml` that reach outside the workspace and wait for an owner; none if there are none. */
export function UnconfirmedSettings({ settings, isBusy, onConfirm }: UnconfirmedSettingsProps) {
  const isOwner = useSession().data?.role === 'owner';
  const texts = words.system.unconfirmed;
  if (settings.length === 0) return null;
  return (
    <section aria-label={texts.title} className="rounded-tile border border-border bg-surface px-4 py-3">
      <h2 className="flex items-center gap-2 text-15 font-semibold">
        <ShieldQuestionMark size={17} aria-hidden className="shrink-0 text-warn" />
        {texts.title}
      </h2>
      <p className="pt-1 text-13 text-text-2">{texts.hint}</p>
      <ul>
        {settings.map(setting => (
          <li
            key={setting.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border py-2.5 last:border-0 last:pb-0"
          >
            <span className="min-w-0 flex-1 basis-64 wrap-anywhere">{texts.effect(setting)}</span>
            {isOwner ? (
              <Button
                isDisabled={isBusy}
                aria-label={texts.confirmOf(texts.effect(setting))}
                onPress={() => onConfirm(setting)}
              >
                {texts.confirm}
              </Button>
            ) : (
              <span className="text-13 text-text-2">{texts.onlyOwners}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
