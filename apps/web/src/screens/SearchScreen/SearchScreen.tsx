import { SearchField } from '@belvedere/ui';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { useResults } from '../../shell/palette/use-results.tsx';

/** The number of results listed per kind. */
const maxResults = 50;

/** Everything that a text finds in the workspace; the text is in the address. */
export function SearchScreen() {
  const { q } = useSearch({ from: '/search' });
  const [text, setText] = useState(q);
  const navigate = useNavigate();
  const [shown, setShown] = useState(q);
  // Back, forward and edited links change the URL only.
  if (shown !== q) {
    setShown(q);
    if (text.trim() !== q) setText(q);
  }
  useEffect(() => {
    const timer = setTimeout(
      () => text.trim() !== q && void navigate({ to: '/search', search: { q: text.trim() }, replace: true }),
      300,
    );
    return () => clearTimeout(timer);
  }, [navigate, text, q]);
  const { sections, act } = useResults(text, { limit: maxResults });
  return (
    <div className="mx-auto max-w-[720px] pt-6">
      <HeaderTitle title={t.search.title}>
        <span className="truncate text-14 font-semibold">{t.search.title}</span>
      </HeaderTitle>
      <h1 className="pb-3 text-20 font-semibold tracking-[-0.01em]">{t.search.title}</h1>
      <SearchField label={t.palette.placeholder} maxLength={200} value={text} onChange={setText} />
      {text.trim() !== '' && sections.length === 0 ? (
        <p role="status" className="pt-6 text-text-2">
          {t.palette.empty}
        </p>
      ) : null}
      {text.trim() === '' ? <p className="pt-6 text-text-2">{t.search.hint}</p> : null}
      {(text.trim() === '' ? [] : sections).map(section => (
        <section key={section.title} aria-label={section.title} className="pt-5">
          <h2 className="pb-1 text-12 font-medium text-text-2">{section.title}</h2>
          <ul className="rounded-tile border border-border bg-surface">
            {section.items.map(item => (
              <li key={item.id} className="border-b border-border last:border-0">
                <button
                  type="button"
                  onClick={() => act(item.id)}
                  className="flex min-h-9 w-full items-center gap-2.5 px-3 py-1.5 text-start text-13 hover:bg-hover pointer-coarse:min-h-11"
                >
                  <span className="shrink-0 text-text-3" aria-hidden>
                    {item.icon}
                  </span>
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{item.title}</span>
                    {item.detail ? (
                      <span className="block truncate text-12 text-text-2">{item.detail}</span>
                    ) : null}
                    {item.warning ? <span className="block text-12 text-warn">{item.warning}</span> : null}
                  </span>
                  {item.hint ? (
                    <span className="max-w-[40%] shrink-0 truncate text-12 text-text-3">{item.hint}</span>
                  ) : null}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
