import { ApiError } from '@belvedere/api';
import { t } from '../../messages/messages.ts';
import { words } from '../messages/words.ts';

const minLength = 12;

/** Returns why a new password is refused; the server also refuses common ones. */
export function newPasswordError(password: string): string | undefined {
  return Array.from(password).length < minLength ? words.passwordShort : undefined;
}

export const emailError = (email: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? undefined : words.emailNeeded;

/** Returns the translation for a password that the server refused; in English it says why by itself. */
export function refusedPassword(error: unknown): string | undefined {
  return t.problems &&
    error instanceof ApiError &&
    error.problem.errors?.some(({ path }) => path === 'password')
    ? words.passwordWeak
    : undefined;
}

/** Whether the server refused a request because the password given with it is wrong. */
export const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.problem.type === 'not-allowed' &&
  error.problem.errors?.some(({ path }) => path === 'password') === true;
