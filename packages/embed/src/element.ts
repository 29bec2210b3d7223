import { defineBelvedereDashboard } from './index.ts';

/* The script that servers offer as `/embed.js`: it defines the element. */
defineBelvedereDashboard();
