import { formatNumber } from '@belvedere/chart';
import { locale } from '../messages/messages.ts';

/** A size with its unit, such as `12.3 MB`. */
export const bytesText = (bytes: number) => formatNumber(bytes, 'bytes', locale, 'full');
