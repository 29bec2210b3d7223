import type { ProviderSettings } from '@belvedere/api';
import { Button, Checkbox, InlineSelect, PasswordField, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { LinkField } from '../CopyLink.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { PairRows } from '../PairRows.tsx';
import { useChange } from '../use-change.ts';
import {
  changedProvider,
  idFromName,
  providedRoles,
  providerDraft,
  wrongProviderFields,
  type ProvidedRole,
  type ProviderDraft,
} from './provider-draft.ts';
import { CheckAnswer, type Checked } from './CheckAnswer.tsx';
import { useDraft } from './use-draft.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

interface ProviderDialogProps {
  /** Undefined for a new provider. */
  readonly known: ProviderSettings | undefined;
  /** The IDs of all providers. */
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

type ProviderForm = Pick<ReturnType<typeof useDraft<ProviderDraft>>, 'draft' | 'set' | 'text'>;

/** Adds a sign-in provider or changes one, and asks it whether it knows this client. */
export function ProviderDialog({ known, taken, onClose }: ProviderDialogProps) {
  const texts = words.providers;
  const [hasOwnId, setHasOwnId] = useState(known !== undefined);
  const [checked, setChecked] = useState<Checked>();
  const { isComplete, ...draftForm } = useDraft(
    () => providerDraft(known),
    changed => wrongProviderFields(changed, known ? [] : taken),
    () => setChecked(undefined),
  );
  const { draft, set } = draftForm;
  const form: ProviderForm = {
    ...draftForm,
    text: (field, error = texts.needed) => draftForm.text(field, error),
  };
  const { change, isBusy, problem } = useChange();
  const title = known ? texts.editOf(known.provider?.name ?? known.id) : texts.add;
  const check = () => {
    setChecked(undefined);
    if (isBusy || !isComplete()) return;
    void change(async () =>
      setChecked(
        await client.checkProvider({
          params: { provider: draft.id },
          body: { provider: changedProvider(draft) },
        }),
      ),
    );
  };
  const save = async () => {
    if (!isComplete()) return;
    const body = changedProvider(draft);
    const isSaved = await change(() =>
      known
        ? client.updateProvider({ params: { provider: known.id }, body, ifMatch: known.version })
        : client.createProvider({ body: { ...body, id: draft.id } }),
    );
    if (isSaved) onClose();
  };
  return (
    <FormDialog
      title={title}
      size="extra large"
      submitLabel={words.save}
      isDisabled={isBusy}
      onSubmit={() => void save()}
      onClose={onClose}
      actions={
        <Button isDisabled={isBusy} onPress={check}>
          {texts.check}
        </Button>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          autoComplete="off"
          maxLength={200}
          autoFocus={known === undefined}
          {...form.text('name')}
          onChange={name => set({ name, ...(!hasOwnId && { id: idFromName(name) }) })}
        />
        {known ? null : (
          <TextField
            label={texts.id}
            hint={texts.idHint}
            autoComplete="off"
            maxLength={63}
            {...form.text('id', taken.includes(draft.id) ? texts.idTaken : texts.idHint)}
            onChange={id => {
              setHasOwnId(true);
              set({ id });
            }}
          />
        )}
      </div>
      <LinkField
        label={texts.callback}
        address={`${location.origin}/auth/oidc/${draft.id || '…'}/callback`}
        copy={texts.copyCallback}
      />
      <p className="-mt-2 text-12 text-text-2">{texts.callbackHint}</p>
      <TextField
        label={texts.issuer}
        hint={texts.issuerHint}
        placeholder="https://"
        autoComplete="off"
        maxLength={500}
        {...form.text('issuer', texts.issuerWrong)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={texts.clientId} autoComplete="off" maxLength={300} {...form.text('clientId')} />
        <PasswordField
          label={texts.secret}
          autoComplete="new-password"
          hint={known?.hasSecret ? texts.secretKept : texts.secretHint}
          {...form.text('clientSecret')}
        />
      </div>
      <Accounts form={form} />
      <Mappings form={form} />
      <Details form={form} />
      <FormProblem problem={problem} />
      <span role="status" className="empty:hidden">
        {checked ? <CheckAnswer checked={checked} /> : null}
      </span>
    </FormDialog>
  );
}

/** Who may sign in, and which accounts are created. */
function Accounts({ form: { draft, set, text } }: { readonly form: ProviderForm }) {
  const texts = words.providers;
  return (
    <fieldset className="flex flex-col gap-3 border-t border-border pt-3">
      <legend className="sr-only">{texts.accounts}</legend>
      <TextField
        label={texts.domains}
        hint={texts.domainsHint}
        placeholder="example.org"
        autoComplete="off"
        maxLength={5000}
        {...text('domains', texts.domainsNeeded)}
      />
      <div>
        <Checkbox isSelected={draft.createAccounts} onChange={createAccounts => set({ createAccounts })}>
          {texts.createAccounts}
        </Checkbox>
        <p className="ms-8 text-12 text-text-2">{texts.createHint}</p>
      </div>
      <div className="max-w-60">
        <InlineSelect
          label={texts.defaultRole}
          value={draft.defaultRole}
          options={roleOptions()}
          onChange={role => set({ defaultRole: role as ProvidedRole })}
        />
      </div>
    </fieldset>
  );
}

/** What the claims of a provider say of a user's rights. */
function Mappings({ form: { draft, set, text } }: { readonly form: ProviderForm }) {
  const texts = words.providers;
  // Read once: removing its last row does not close it while its user still edits it.
  const [wasMapped] = useState(() => hasMappings(draft));
  return (
    <details className="border-t border-border pt-3" open={wasMapped}>
      <summary className="cursor-pointer text-13 font-medium">{texts.mappings}</summary>
      <div className="flex flex-col gap-4 pt-3">
        <TextField
          label={texts.groupsClaim}
          hint={texts.groupsClaimHint}
          placeholder="groups"
          autoComplete="off"
          maxLength={200}
          {...text('groupsClaim')}
        />
        <PairRows rows={draft.groups} onRows={groups => set({ groups })} texts={texts.groups} />
        <PairRows
          rows={draft.roles}
          onRows={roles => set({ roles })}
          texts={texts.roles}
          options={roleOptions()}
        />
        <PairRows
          rows={draft.attributes}
          onRows={attributes => set({ attributes })}
          texts={texts.attributes}
        />
      </div>
    </details>
  );
}

const hasMappings = ({ groups, roles, attributes }: ProviderDraft) =>
  groups.length + roles.length + attributes.length > 0;

/** How requests are made, which few providers need. */
function Details({ form: { draft, set, text } }: { readonly form: ProviderForm }) {
  const texts = words.providers;
  return (
    <details className="border-t border-border pt-3">
      <summary className="cursor-pointer text-13 font-medium">{texts.details}</summary>
      <div className="flex flex-col gap-4 pt-3">
        <TextField
          label={texts.scopes}
          hint={texts.scopesHint}
          autoComplete="off"
          maxLength={1000}
          {...text('scopes')}
        />
        <div className="max-w-60">
          <InlineSelect
            label={texts.authentication}
            value={draft.clientAuthentication}
            options={[
              { value: 'basic', label: 'client_secret_basic' },
              { value: 'post', label: 'client_secret_post' },
            ]}
            onChange={way => set({ clientAuthentication: way === 'post' ? 'post' : 'basic' })}
          />
        </div>
        <div>
          <Checkbox
            isSelected={draft.assumeEmailVerified}
            onChange={assumeEmailVerified => set({ assumeEmailVerified })}
          >
            {texts.assumeVerified}
          </Checkbox>
          <p className="ms-8 text-12 text-text-2">{texts.assumeHint}</p>
        </div>
      </div>
    </details>
  );
}

const roleOptions = () => providedRoles.map(value => ({ value, label: words.roles[value] }));
