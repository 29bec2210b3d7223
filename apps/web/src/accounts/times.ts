import { localTimeFormat } from '../data/session/own-zone.ts';
import { locale } from '../messages/messages.ts';
import { relativeTime } from '../messages/relative-time.ts';

/** A moment as a date with its time: `Nov 28, 2026, 8:35 PM`. */
export const momentText = (at: string): string =>
  localTimeFormat({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));

export const dayText = (at: string): string => localTimeFormat({ dateStyle: 'medium' }).format(new Date(at));

export const agoText = (at: string): string => relativeTime(new Date(at), new Date(), locale);
