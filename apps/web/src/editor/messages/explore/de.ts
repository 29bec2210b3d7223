import type { ExploreMessages } from './en.ts';

export const exploreDe: ExploreMessages = {
  explore: {
    fields: 'Felder',
    staleLink: 'Ein Teil dieses Links konnte nicht gelesen werden und wurde ignoriert.',
    title: model => `${model} erkunden`,
    save: 'In Dashboard speichern',
    fresh: 'Neues Dashboard',
    to: 'Dashboard',
    name: 'Name',
    find: 'Felder suchen',
    chart: 'Diagramm',
    rows: 'Zeilen',
    clear: 'Auswahl aufheben',
    put: field => `${field} zum Diagramm hinzufügen`,
    about: (type, distinct) => `${type}, ${distinct} ${distinct === '1' ? 'Wert' : 'Werte'}`,
    empty: share => `${share} Null-Werte`,
    more: count => `${count} weitere nicht angezeigt`,
  },
};
