import { joinSentences } from '@belvedere/api';
import type { EditedText } from '../state/document-editor.ts';
import { useEditor } from '../state/editing.ts';
import { words } from '../messages/words.ts';

/** Notices about the draft: merged, changed in another window, recovered. */
export function DraftNotices({ editor }: { readonly editor: EditedText }) {
  const notice = useEditor(editor, state => state.notice);
  const problem = useEditor(editor, state => state.problem);
  const problems = useEditor(editor, state => state.problems);
  const isPlaceholder = useEditor(editor, state => state.isPlaceholder);
  return (
    <>
      {notice ? (
        <p role="status" className="mt-3 rounded-control bg-accent-weak px-3 py-1.5 text-accent-text">
          {words.notices[notice]}
        </p>
      ) : null}
      {problem ? (
        <p role="alert" className="mt-3 rounded-control bg-bad-weak px-3 py-1.5 text-bad">
          {problem}
        </p>
      ) : null}
      {problems.length > 0 ? (
        <p role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {joinSentences([
            isPlaceholder ? words.text.invalid : words.canvas.stale,
            `${words.text.line(problems[0]!.line, problems[0]!.column)}: ${problems[0]!.message}`,
          ])}
        </p>
      ) : null}
    </>
  );
}
