import type { InterfaceLanguage } from '@belvedere/api';
import { InlineSelect } from '@belvedere/ui';
import { Link } from '@tanstack/react-router';
import { chooseTheme, useThemeChoice } from '../../dashboard/chart/use-theme.ts';
import { useSession } from '../../data/server.ts';
import { LettersCheckbox } from '../../keys/LettersCheckbox.tsx';
import { ShortcutList } from '../../keys/ShortcutList.tsx';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { chooseLanguage, languages, locale, readersLanguage, t } from '../../messages/messages.ts';
import { SettingsPage, SettingsSection } from './SettingsPage.tsx';
import { TimeSettings } from './TimeSettings.tsx';

/** What this user sees in this browser, and the workspace's clock. */
export function SettingsScreen() {
  const { data: session } = useSession();
  const { create } = usePermissions();
  const theme = useThemeChoice();
  const workspace = session?.workspace;
  return (
    <SettingsPage title={t.settings.title} hint={t.settings.hint}>
      <SettingsSection id="language" title={t.settings.language} hint={t.settings.languageHint}>
        <div className="max-w-60">
          <InlineSelect
            label={t.language.title}
            value={readersLanguage()}
            options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            onChange={language => chooseLanguage(language as InterfaceLanguage)}
          />
        </div>
        <p className="pt-2 text-12 text-text-2">
          {t.settings.example(
            new Intl.NumberFormat(locale).format(1234567.89),
            new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(2026, 2, 9)),
          )}
        </p>
      </SettingsSection>
      <SettingsSection id="time" title={t.settings.time} hint={t.settings.timeHint}>
        {workspace ? <TimeSettings workspace={workspace} /> : null}
      </SettingsSection>
      <SettingsSection id="theme" title={t.settings.theme} hint={t.settings.themeHint}>
        <div className="max-w-60">
          <InlineSelect
            label={t.settings.theme}
            value={theme ?? 'system'}
            options={(['system', 'light', 'dark'] as const).map(value => ({
              value,
              label: t.settings.themes[value],
            }))}
            onChange={value => chooseTheme(value === 'light' || value === 'dark' ? value : undefined)}
          />
        </div>
      </SettingsSection>
      <SettingsSection id="shortcuts" title={t.keys.title} hint={t.keys.lettersHint}>
        <LettersCheckbox />
        <div className="pt-2">
          <ShortcutList />
        </div>
      </SettingsSection>
      <p className="flex flex-wrap gap-x-4 border-t border-border pt-4 text-12 text-text-2">
        {session ? <span>{t.settings.version(session.version)}</span> : null}
        {create ? (
          <Link to="/trash" className="underline">
            {t.trash.title}
          </Link>
        ) : null}
      </p>
    </SettingsPage>
  );
}
