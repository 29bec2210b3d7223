/** What a filter may say at most: values it lists, and letters it looks for. */
export const mostValues = 1000;
export const longestSearch = 200;
