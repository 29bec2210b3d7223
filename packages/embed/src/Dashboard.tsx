import { useEffect, useRef, type CSSProperties } from 'react';
import {
  defineBelvedereDashboard,
  type Background,
  type BelvedereDashboard,
  type DashboardEvents,
  type Filters,
  type Theme,
} from './index.ts';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'belvedere-dashboard': DetailedHTMLProps<HTMLAttributes<BelvedereDashboard>, BelvedereDashboard> & {
        readonly class?: string;
        readonly src: string;
        readonly theme?: Theme;
        readonly background?: Background;
      };
    }
  }
}

interface DashboardProps {
  /** The address of its page, `https://bi.example.com/embed/sales`. */
  readonly src: string;
  /** Returns a signed token: called when it opens, and before each token ends. */
  readonly getToken: () => Promise<string>;
  readonly title?: string;
  readonly theme?: Theme;
  readonly background?: Background;
  readonly filters?: Filters;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly onOpen?: () => void;
  readonly onFilters?: (filters: DashboardEvents['belvedere-filters']) => void;
  readonly onSelection?: (selections: DashboardEvents['belvedere-selection']) => void;
  readonly onDataTime?: (dataTime: DashboardEvents['belvedere-data-time']) => void;
  readonly onSize?: (height: DashboardEvents['belvedere-size']) => void;
  readonly onError?: (error: DashboardEvents['belvedere-error']) => void;
}

/** A dashboard or one of its tiles, in a frame. */
export function Dashboard(props: DashboardProps) {
  const { src, title, theme, background, className, style, filters } = props;
  const element = useRef<BelvedereDashboard>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const shown = element.current!;
    const listeners: { readonly [Name in keyof DashboardEvents]: (detail: DashboardEvents[Name]) => void } = {
      'belvedere-open': () => latest.current.onOpen?.(),
      'belvedere-filters': detail => latest.current.onFilters?.(detail),
      'belvedere-selection': detail => latest.current.onSelection?.(detail),
      'belvedere-data-time': detail => latest.current.onDataTime?.(detail),
      'belvedere-size': detail => latest.current.onSize?.(detail),
      'belvedere-error': detail => latest.current.onError?.(detail),
    };
    const ends = Object.entries(listeners).map(([name, onEvent]) => {
      const listener = (event: Event) =>
        (onEvent as (detail: unknown) => void)((event as CustomEvent).detail);
      shown.addEventListener(name, listener);
      return () => shown.removeEventListener(name, listener);
    });
    // Defined after the element knows how it gets tokens.
    shown.getToken = () => latest.current.getToken();
    defineBelvedereDashboard();
    return () => {
      for (const end of ends) end();
    };
  }, []);
  useEffect(() => {
    if (filters) element.current!.filters = filters;
  }, [filters]);
  return (
    <belvedere-dashboard
      ref={element}
      src={src}
      {...(title !== undefined && { title })}
      {...(theme !== undefined && { theme })}
      {...(background !== undefined && { background })}
      {...(className !== undefined && { class: className })}
      {...(style && { style })}
    />
  );
}
