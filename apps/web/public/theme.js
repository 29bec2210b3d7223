// Before the first paint: the theme chosen here before, or the system's.
const chosen = localStorage.getItem('belvedere-theme');
document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
