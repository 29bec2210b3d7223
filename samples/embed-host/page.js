const whole = document.getElementById('whole');
const heard = document.getElementById('heard');

for (const name of ['open', 'filters', 'selection', 'data-time', 'size', 'error'])
  whole.addEventListener(`belvedere-${name}`, ({ detail }) => {
    const lines = [`${name}: ${JSON.stringify(detail ?? null)}`, ...heard.textContent.split('\n')];
    heard.textContent = lines.slice(0, 12).join('\n');
  });

for (const button of document.querySelectorAll('[data-value]'))
  button.addEventListener('click', () => {
    const { value } = button.dataset;
    whole.filters = { kind: value === '' ? null : { oneOf: [value] } };
  });

for (const button of document.querySelectorAll('[data-theme]'))
  button.addEventListener('click', () => {
    const { theme } = button.dataset;
    document.documentElement.dataset.theme = theme;
    for (const one of document.querySelectorAll('belvedere-dashboard')) one.setAttribute('theme', theme);
  });
