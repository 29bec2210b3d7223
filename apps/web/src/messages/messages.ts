import { en, type Messages } from './en.ts';

/** The interface's texts in the reader's language; English until another catalogue is complete. */
export const t: Messages = en;

/** How numbers and dates are written for this reader. */
export const locale = navigator.language || 'en-US';
