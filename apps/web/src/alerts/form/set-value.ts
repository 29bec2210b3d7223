import type { Edit, Path } from '@belvedere/document';

/** @param joins names steps that follow each other and are undone as one */
export type OnEdit = (edits: readonly Edit[], joins?: string) => void;
/** Sets a value of an alert's text; undefined removes it. */
export type SetValue = (path: Path, value: unknown, joins?: string) => void;
