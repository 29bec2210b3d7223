// Replaces the page by a notice in browsers older than those of `browserslist` (package.json). They may not even parse the program, so this is ES5.
// Each of the three features is the last that one of the supported browsers got: Chrome 122, Firefox 128, Safari 17.4.
(function () {
  var hasAll = typeof Promise === 'function' && Promise.withResolvers && typeof Set === 'function' && Set.prototype.union && window.CSSPropertyRule;
  if (hasAll) return;
  var texts = {
    en: ['This browser is too old for Belvedere', 'Update it, or open this page in Chrome or Edge 122, Firefox 128, Safari 17.4, or newer.'],
    de: ['Dieser Browser ist zu alt für Belvedere', 'Aktualisieren Sie ihn, oder öffnen Sie diese Seite in Chrome oder Edge 122, Firefox 128, Safari 17.4 oder neuer.'],
    zh: ['此浏览器版本过旧，无法使用 Belvedere', '请更新浏览器，或使用 Chrome 或 Edge 122、Firefox 128、Safari 17.4 或更新的版本打开此页面。'],
  };
  var language = String(navigator.language).slice(0, 2);
  if (!texts.hasOwnProperty(language)) language = 'en';
  function show() {
    var main = document.createElement('main');
    main.lang = language;
    main.style.margin = '3em auto';
    main.style.maxWidth = '40em';
    main.style.padding = '0 1em';
    var title = main.appendChild(document.createElement('h1'));
    title.appendChild(document.createTextNode(texts[language][0]));
    main.appendChild(document.createElement('p')).appendChild(document.createTextNode(texts[language][1]));
    document.body.innerHTML = '';
    document.body.appendChild(main);
  }
  if (document.body) show();
  else document.addEventListener('DOMContentLoaded', show);
})();
