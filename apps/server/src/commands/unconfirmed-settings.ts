import { readDocument, type ReadDocument, type WorkspaceFile } from '@belvedere/document';
import { readSettings } from '../workspace/documents/read-documents.ts';
import { confirmationName, externalSettings, type PlacedSetting } from '../workspace/external-settings.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { Confirmations } from '../workspace/sources/confirmations.ts';

/** Returns the settings of `belvedere.yaml` that are not used before they are confirmed, with their lines. */
export async function unconfirmedSettings({
  root,
  isTrusted = false,
}: Pick<ResolvedWorkspace, 'root' | 'isTrusted'>): Promise<
  { readonly setting: PlacedSetting; readonly line: number }[]
> {
  let read: ReadDocument<WorkspaceFile> | undefined;
  const { settings = {} } = await readSettings(
    root,
    (text, file) => (read = readDocument('workspace', text, file)),
  );
  const confirmations = new Confirmations(root, isTrusted);
  const found: { setting: PlacedSetting; line: number }[] = [];
  for (const setting of await externalSettings(settings, root))
    if (!(await confirmations.has(confirmationName(setting.id), setting.content)))
      found.push({ setting, line: read!.locate(setting.at).line });
  return found;
}
