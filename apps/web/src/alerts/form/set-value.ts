import type { Path } from '@belvedere/document';

/** Sets a value of an alert's text; undefined removes it. @param joins names steps that are undone as one */
export type SetValue = (path: Path, value: unknown, joins?: string) => void;
