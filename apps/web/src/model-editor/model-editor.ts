import type { CheckedModel, Client } from '@belvedere/api';
import type { ModelFile, Path } from '@belvedere/document';
import {
  DocumentEditor,
  type Backup,
  type DocumentServer,
  type DocumentState,
  type OpenedText,
} from '../editor/state/document-editor.ts';
import { words } from '../editor/messages/words.ts';

const sections = ['dimensions', 'measures', 'joins', 'hierarchies', 'filters', 'policies'] as const;
export type Section = (typeof sections)[number];

export interface ModelState extends DocumentState<'model'> {
  /** What the server made of the text it heard of last, and that text. */
  readonly checked: CheckedModel;
  readonly checkedText: string;
}

export type ModelEditingClient = Pick<
  Client,
  'getModelText' | 'putModelDraft' | 'dropModelDraft' | 'saveModelText'
>;

/** A model being edited: its entries, and what they mean against the tables. */
export class ModelEditor extends DocumentEditor<'model', CheckedModel, ModelState> {
  readonly name: string;

  static async open(name: string, client: ModelEditingClient, backup: Backup): Promise<ModelEditor> {
    const { checked, ...opened } = await client.getModelText({ params: { name } });
    const editor = new ModelEditor(name, client, backup, opened, checked);
    editor.resume(opened);
    return editor;
  }

  constructor(
    name: string,
    client: ModelEditingClient,
    backup: Backup,
    opened: OpenedText,
    checked: CheckedModel,
  ) {
    super({
      kind: 'model',
      id: `model:${name}`,
      server: modelServer(name, client),
      backup,
      opened,
      placeholder: { version: 1, table: name },
      begin: state => ({ ...state, checked, checkedText: state.text }),
    });
    this.name = name;
  }

  override pathOf(selected: string): Path {
    const [section, name] = selected.split('.');
    return section === 'policies' ? [section, Number(name)] : [section!, name!];
  }

  override chooseAt([section, name]: Path): void {
    const id = `${String(section)}.${String(name)}`;
    if (entryOf(this.state.document, id)) this.select(id);
  }

  protected override follow(document: ModelFile): Partial<ModelState> {
    const { selected } = this.state;
    const isThere = (id: string) => entryOf(document, id) !== undefined;
    return selected.every(isThere) ? {} : { selected: selected.filter(isThere) };
  }

  protected override isNews(checked: CheckedModel): boolean {
    return JSON.stringify(checked) !== JSON.stringify(this.state.checked);
  }

  protected override show(checked: CheckedModel, text: string): void {
    if (!this.isClosed) this.store.setState({ checked, checkedText: text });
  }
}

function isSection(section: unknown): section is Section {
  return (sections as readonly unknown[]).includes(section);
}

/** An entry by how it is chosen; undefined where there is none of that name. */
export function entryOf(
  document: ModelFile,
  id: string,
): { readonly section: Section; readonly name: string } | undefined {
  const [section, name] = id.split('.');
  const entries: Readonly<Record<string, unknown>> | readonly unknown[] =
    (isSection(section) && document[section]) || {};
  return isSection(section) && name !== undefined && Object.hasOwn(entries, name)
    ? { section, name }
    : undefined;
}

function modelServer(name: string, client: ModelEditingClient): DocumentServer<CheckedModel> {
  const open = () => client.getModelText({ params: { name } });
  return {
    open,
    made: async () => (await open()).checked,
    putDraft: async (text, base, after) => {
      const { version, checked } = await client.putModelDraft({
        params: { name },
        body: { text, ...(base !== undefined && { base }), after },
      });
      return { version, made: checked };
    },
    dropDraft: () => client.dropModelDraft({ params: { name } }),
    save: async (text, base, message, draft, follow) => {
      const { hash, left } = await client.saveModelText({
        params: { name },
        body: { text, message, draft, follow },
        ifMatch: base,
      });
      return {
        hash,
        problem: left.length > 0 ? words.model.left(left.map(({ title }) => title).join(', ')) : undefined,
      };
    },
  };
}
