import type { ChangedMailServer, MailServerStatus } from '@belvedere/api';
import { Button, InlineSelect, PasswordField, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { useChange } from '../use-change.ts';
import { changedMailServer, mailDraft, standardPorts, wrongMailFields } from './mail-draft.ts';
import { TestAnswer, type TestedMail } from './TestAnswer.tsx';
import { useDraft } from './use-draft.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

interface MailServerDialogProps {
  readonly status: MailServerStatus;
  readonly onClose: () => void;
}

/** Sets the mail server, and sends a test message through it before it is saved. */
export function MailServerDialog({ status, onClose }: MailServerDialogProps) {
  const texts = words.mailServer;
  const { team } = usePermissions();
  const [tested, setTested] = useState<TestedMail>();
  const { draft, set, text, isComplete } = useDraft(
    () => mailDraft(status.server),
    wrongMailFields,
    () => setTested(undefined),
  );
  const { change, isBusy, problem } = useChange();
  const test = () => {
    setTested(undefined);
    if (isBusy || !isComplete()) return;
    void change(async () =>
      setTested(await client.testMailServer({ body: { server: changedMailServer(draft) } })),
    );
  };
  const save = async () => {
    if (!isComplete()) return;
    if (await change(() => client.saveMailServer({ body: changedMailServer(draft) }))) onClose();
  };
  return (
    <FormDialog
      title={texts.title}
      size="large"
      submitLabel={words.save}
      isDisabled={isBusy}
      onSubmit={() => void save()}
      onClose={onClose}
      actions={
        team ? (
          <Button isDisabled={isBusy} onPress={test}>
            {texts.test}
          </Button>
        ) : null
      }
    >
      <div className="grid gap-4 sm:grid-cols-[1fr_7rem]">
        <TextField
          label={texts.host}
          placeholder="smtp.example.org"
          autoComplete="off"
          maxLength={253}
          autoFocus
          {...text('host', texts.hostWrong)}
        />
        <TextField label={texts.port} inputMode="decimal" maxLength={5} {...text('port', texts.portWrong)} />
      </div>
      <div>
        <InlineSelect
          label={texts.security}
          value={draft.security}
          options={(['starttls', 'tls', 'none'] as const).map(value => ({
            value,
            label: texts.securities[value],
          }))}
          onChange={value => {
            const security = value as ChangedMailServer['security'];
            const isStandard = Object.values(standardPorts).includes(draft.port);
            set({ security, ...(isStandard && { port: standardPorts[security] }) });
          }}
        />
        {draft.security === 'none' ? <p className="pt-1 text-12 text-text-2">{texts.noneHint}</p> : null}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={texts.user}
          hint={texts.userHint}
          autoComplete="off"
          maxLength={300}
          {...text('user')}
        />
        <PasswordField
          label={texts.password}
          autoComplete="new-password"
          {...(status.server?.hasPassword && { hint: texts.passwordKept })}
          {...text('password')}
        />
      </div>
      <TextField
        label={texts.from}
        hint={texts.fromHint}
        placeholder="Belvedere <belvedere@example.org>"
        autoComplete="off"
        maxLength={320}
        {...text('from', texts.fromWrong)}
      />
      <FormProblem problem={problem} />
      <span role="status" className="empty:hidden">
        {tested ? <TestAnswer tested={tested} /> : null}
      </span>
    </FormDialog>
  );
}
